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
// Errors of the driver that have no code.
const words =
  /^(?:Connection terminated|Client has encountered a connection error|timeout (?:expired|exceeded)|Query read timeout)/;

export function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (states.test(code) || network.has(code))) return true;
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true;
  return words.test(error.message) || isUnreachable(error.cause);
}
