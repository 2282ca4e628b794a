// A server that does not answer now, or cannot store anything now.

/** The server did not answer, a proxy answered in its place, or it said to try again. */
export class ServerUnavailableError extends Error {}

/**
 * The server has lost lines that it had stored, as after a failover to a database that lagged behind. The
 * task has to be taken up again, which reads its output from the last line that the server has.
 */
export class LogLinesLostError extends ServerUnavailableError {
  readonly refusal = 'runner.lines_missing';
}

/** Whether something failed because the server could not be reached, so that it may succeed later. */
export const isServerUnavailable = (error: unknown): boolean =>
  error instanceof ServerUnavailableError ||
  (error instanceof Error && isServerUnavailable(error.cause));
