// Recognises connection errors of the database, after which a retry may succeed.

// SQLSTATE: connection exceptions, idle transaction timeout, shutdown, too many connections, and invalid
// logins, which occur while a server is being set up.
const states = /^(?:08...|25P03|57P0[123]|53300|28...|3D000)$/;
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
// Certificate and other TLS errors.
const tls =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO)/;
// Driver errors without a code.
const words =
  /^(?:Connection terminated|The server does not support SSL|Client has encountered a connection error|timeout (?:expired|exceeded)|Query read timeout)/;

/** Whether TLS could not be established. */
export function isOfTls(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return (
    error.message.includes('does not support SSL') || (typeof code === 'string' && tls.test(code))
  );
}

export function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (states.test(code) || network.has(code) || tls.test(code))) {
    return true;
  }
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true;
  return words.test(error.message) || isUnreachable(error.cause);
}
