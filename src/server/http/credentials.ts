// The credentials of a request: an API token in a header, or a session in a cookie. When a request
// has an `Authorization` header, its cookie is ignored.

import type { IncomingHttpHeaders } from 'node:http';

export type Credentials = { kind: 'token' | 'session'; text: string };

/** The token of an `Authorization: Bearer` header; empty for another kind of `Authorization` header. */
function bearer(authorization: string): string {
  return /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '';
}

/** Reads the credentials of a request. `cookieOf` answers the session token of a Cookie header. */
export function credentialsOf(
  { authorization, cookie }: IncomingHttpHeaders,
  cookieOf: (header: string | undefined) => string | null,
): Credentials | null {
  if (authorization !== undefined) return { kind: 'token', text: bearer(authorization) };
  const text = cookieOf(cookie);
  return text === null ? null : { kind: 'session', text };
}
