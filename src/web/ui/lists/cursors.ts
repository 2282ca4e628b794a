// The cursors of a list that grows at its beginning, as its address contains them: the ids after
// which the passed pages begin, from the newest page on. They also lead back. Pure functions.

/**
 * `.90.60`: two pages on, after the ids 90 and 60. It begins with a dot, so that it is not parsed
 * as a number.
 */
export type Trail = string | undefined;

// The oldest cursors of a longer trail are dropped, so that addresses do not grow without end.
const longest = 50;

const cursorsOf = (trail: Trail): string[] => trail?.split('.').slice(1) ?? [];

const trailOf = (cursors: string[]): Trail =>
  cursors
    .slice(-longest)
    .map((cursor) => `.${cursor}`)
    .join('') || undefined;

/** Whether more than one page lies between this page and the newest one. */
export const isFarOn = (trail: Trail): boolean => cursorsOf(trail).length > 1;

export const isTrail = (text: string): boolean => /^(?:\.\d{1,15}){1,50}$/.test(text);

/** The id after which the shown page begins; undefined for the newest page. */
export function cursorOf(trail: Trail): number | undefined {
  const last = cursorsOf(trail).at(-1);
  return last === undefined ? undefined : Number(last);
}

export const older = (trail: Trail, next: number): Trail =>
  trailOf([...cursorsOf(trail), String(next)]);

export const newer = (trail: Trail): Trail => trailOf(cursorsOf(trail).slice(0, -1));
