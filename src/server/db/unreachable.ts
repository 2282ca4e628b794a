// Whether a statement failed because the database cannot be reached, and may go well later.

// Classes of PostgreSQL: connection exception, and those of a server that starts or ends; errors
// of the network; wrong logins, which a database that is being set up answers for a while.
const states = /^(?:08...|57P0[123]|53300|28...|3D000)$/;
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
// The driver gives these no code.
const words =
  /^(?:Connection terminated|Client has encountered a connection error|timeout (?:expired|exceeded)|Query read timeout)/;

export function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (states.test(code) || network.has(code))) return true;
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true;
  return words.test(error.message) || isUnreachable(error.cause);
}
