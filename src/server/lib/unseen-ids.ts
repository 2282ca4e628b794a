// Ids in a body that name what the caller may not see are replaced by ids that nothing has, and shown as given.

const MAX_ID = 999_999_999_999_999;

const isUnseen = (id: number): boolean => id > MAX_ID / 2;

/** Ids as large as that have nothing either, and stay, so that none stands for a small one. */
export const unseenId = (id: number): number => (isUnseen(id) ? id : MAX_ID - id);

/** The id that the caller has sent. */
export const givenId = (id: number): number => (isUnseen(id) ? MAX_ID - id : id);
