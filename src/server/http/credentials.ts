// An `Authorization` header takes precedence over the session cookie.

import type { IncomingHttpHeaders } from 'node:http';

export type Credentials = { kind: 'token' | 'session'; text: string };

/** Empty for another authentication scheme. */
export function bearer(authorization: string): string {
  return /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '';
}

export function credentialsOf(
  { authorization, cookie }: IncomingHttpHeaders,
  cookieOf: (header: string | undefined) => string | null,
): Credentials | null {
  if (authorization !== undefined) return { kind: 'token', text: bearer(authorization) };
  const text = cookieOf(cookie);
  return text === null ? null : { kind: 'session', text };
}
