// Calls a server over HTTP as a script would: sign in once, then JSON in and out.

import type { TestServer } from './server.ts';

export type ApiCall = <T>(method: string, path: string, body?: object) => Promise<T>;

const longestAnswerMs = 120_000;

export interface Cookie {
  name: string;
  value: string;
  url: string;
  httpOnly: boolean;
}

/** Signs in; returns a function that calls the API. The address is read for each call: there may be several servers. */
export async function connectApi(
  server: Pick<TestServer, 'address' | 'password'>,
  login?: string,
): Promise<ApiCall> {
  return (await signedIn(server, login)).call;
}

/** The same, with the cookies for a browser that is to have the same session. */
export async function signedIn(
  server: Pick<TestServer, 'address' | 'password'>,
  login = 'admin',
): Promise<{ call: ApiCall; cookies: Cookie[] }> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  let set: string[] = [];
  const call: ApiCall = async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.address}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(longestAnswerMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) {
      set = cookies;
      headers['cookie'] = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return (text ? JSON.parse(text) : undefined) as T;
  };
  await call('POST', '/api/auth/login', { auth: login, password: server.password });
  return { call, cookies: set.map((cookie) => cookieOf(cookie, server.address)) };
}

function cookieOf(header: string, url: string): Cookie {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
  return { name, value, url, httpOnly: /; *httponly/i.test(header) };
}
