// What a request brings to say who sends it: an API token in a header, or a session in a cookie.
// A request with a token is never taken for one with a cookie, whatever else it brings.

import type { IncomingHttpHeaders } from 'node:http';

export type Credentials = { kind: 'token' | 'session'; text: string };

/** The token of an `Authorization: Bearer` header; empty: there is another kind of header. */
function bearer(authorization: string): string {
  return /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '';
}

/** `cookieOf`: the token of the session in a Cookie header. */
export function credentialsOf(
  { authorization, cookie }: IncomingHttpHeaders,
  cookieOf: (header: string | undefined) => string | null,
): Credentials | null {
  if (authorization !== undefined) return { kind: 'token', text: bearer(authorization) };
  const text = cookieOf(cookie);
  return text === null ? null : { kind: 'session', text };
}
