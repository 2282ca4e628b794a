/** The server did not respond, a proxy responded in its place, or the server requested a retry. */
export class ServerUnavailableError extends Error {}

/**
 * The server has lost lines that it had stored, as after a failover to a replica that lagged behind. The task
 * has to be resumed, which reads its output from the last line that the server has.
 */
export class LogLinesLostError extends ServerUnavailableError {
  readonly refusal = 'runner.lines_missing';
}

/** Whether the cause is an unreachable server, so that a retry may succeed. */
export const isServerUnavailable = (error: unknown): boolean =>
  error instanceof ServerUnavailableError ||
  (error instanceof Error && isServerUnavailable(error.cause));
