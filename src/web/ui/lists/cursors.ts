// The cursors of the passed pages of a list with the newest rows first, as the address contains
// them. They also lead back. Pure functions.

/**
 * `.90.60`: the third page, after the cursors 90 and 60. The dot prevents the router from parsing a
 * number.
 */
export type Trail = string | undefined;

// The oldest cursors are dropped, so that the length of addresses is limited.
const longest = 50;

const cursorsOf = (trail: Trail): string[] => trail?.split('.').slice(1) ?? [];

const trailOf = (cursors: string[]): Trail =>
  cursors
    .slice(-longest)
    .map((cursor) => `.${cursor}`)
    .join('') || undefined;

/** Whether there is a page between this page and the newest one. */
export const isFarOn = (trail: Trail): boolean => cursorsOf(trail).length > 1;

export const isTrail = (text: string): boolean => /^(?:\.\d{1,15}){1,50}$/.test(text);

/** The cursor of this page; undefined for the newest page. */
export function cursorOf(trail: Trail): number | undefined {
  const last = cursorsOf(trail).at(-1);
  return last === undefined ? undefined : Number(last);
}

export const older = (trail: Trail, next: number): Trail =>
  trailOf([...cursorsOf(trail), String(next)]);

export const newer = (trail: Trail): Trail => trailOf(cursorsOf(trail).slice(0, -1));
