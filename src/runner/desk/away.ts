// A server that does not answer now, or cannot store anything now.

/** The server did not answer, a proxy answered in its place, or it said to try again. */
export class ServerAway extends Error {}

/** Whether something failed because the server could not be reached, so that it may succeed later. */
export const isAway = (error: unknown): boolean =>
  error instanceof ServerAway || (error instanceof Error && isAway(error.cause));
