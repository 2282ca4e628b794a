// Recognises errors of a database that cannot be reached, after which a statement may succeed later.

// Error classes of PostgreSQL for connections, for a transaction that was silent for too long, and for
// a server that starts or stops; errors of the network; and wrong logins, which a database answers for a while when it is being set up.
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
// Certificates that are not trusted or do not fit, and other failures of TLS.
const tls =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|EPROTO)/;
// Errors of the driver that have no code.
const words =
  /^(?:Connection terminated|The server does not support SSL|Client has encountered a connection error|timeout (?:expired|exceeded)|Query read timeout)/;

/** Whether the way to the database could not be encrypted as its address asks for. */
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
