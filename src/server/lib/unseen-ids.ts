// Ids in a body that name what the caller may not see are replaced by ids that nothing has, and shown as given.

const MAX_ID = 999_999_999_999_999;

export const unseenId = (id: number): number => MAX_ID - id;

/** The id that the caller has sent. */
export const givenId = (id: number): number => (id > MAX_ID / 2 ? MAX_ID - id : id);
