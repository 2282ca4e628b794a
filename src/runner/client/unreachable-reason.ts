// Explains why a server cannot be reached, for people who set up a runner.

const unknownAuthority =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;
const invalidCertificate =
  /^(?:CERT_|CRL_|ERROR_IN_CERT_|UNABLE_TO_|ERR_TLS_CERT_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)/;

const reasonByCode: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens at its address.',
  ECONNRESET: 'The server, or a proxy in front of it, has closed the connection.',
  EHOSTUNREACH: 'There is no route to its address.',
  ENETUNREACH: 'There is no route to its address.',
  ENOTFOUND: 'Its name is not known.',
  EAI_AGAIN: 'Its name cannot be looked up.',
  ETIMEDOUT: 'It does not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'It does not answer in time.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS at this address: is it one of http?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'It does not speak TLS at this address: is it one of http?',
};

/** For status 407 of a proxy. */
export const proxyLoginMissing =
  'The proxy wants a login and password: put them into the address of HTTPS_PROXY or HTTP_PROXY.';

/** The reason as one sentence. */
export function unreachableReason(error: unknown): string {
  const { code, message } = rootCause(error);
  if (code === 'ERR_PROXY_TUNNEL') return tunnelFailureReason(message);
  if (unknownAuthority.test(code)) {
    return `Its certificate comes from an authority that this machine does not know (${code}). Name the file of that authority: SIGNALBOX_SERVER_CA_FILE.`;
  }
  if (invalidCertificate.test(code)) return `Its certificate is not valid: ${message} (${code}).`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return reasonByCode['ETIMEDOUT'] ?? '';
  return reasonByCode[code] ?? `It does not answer (${code || message}).`;
}

/** Node's message ends with the proxy's status line, if it has responded. */
function tunnelFailureReason(message: string): string {
  const [, line = '', status = ''] = /: (HTTP\/\S+ (\d{3}).*)$/.exec(message) ?? [];
  if (status === '407') return proxyLoginMissing;
  return `The proxy does not open a way to it${line && ` (${line})`}.`;
}

function rootCause(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  // When a name has several addresses, the error of the first is as useful as those of the others.
  const next: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (next instanceof Error) return rootCause(next);
  const { code } = error as { code?: unknown };
  return { code: typeof code === 'string' ? code : '', message: error.message };
}
