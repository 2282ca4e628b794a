// Calls a server over HTTP as a script would: sign in once, then JSON in and out.

import type { TestServer } from './server.ts';

export type ApiCall = <T>(method: string, path: string, body?: object) => Promise<T>;

// Milliseconds that a server has to answer.
const patience = 120_000;

/** The address is read anew for each request: there may be several servers. */
export async function connectApi(
  server: Pick<TestServer, 'address' | 'password'>,
): Promise<ApiCall> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const call: ApiCall = async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.address}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(patience),
      ...(body && { body: JSON.stringify(body) }),
    });
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return (text ? JSON.parse(text) : undefined) as T;
  };
  await call('POST', '/api/auth/login', { auth: 'admin', password: server.password });
  return call;
}
