// Calls a server that is a process of its own.

import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import { session } from '#shared/api/session.ts';
import { checkReply } from './documented.ts';
import type { ApiReply, Caller } from './app.ts';

type Note = <E extends Endpoint>(endpoint: E, args: CallOf<E>) => void;

/** A caller who is signed in. `note` is called with every request. */
export async function remoteCaller(
  address: string,
  auth: string,
  password: string,
  note: Note = () => undefined,
): Promise<Caller> {
  let cookie = '';
  const send = async <E extends Endpoint>(endpoint: E, args: CallOf<E>): Promise<Response> => {
    note(endpoint, args);
    return fetch(`${address}${pathOf(endpoint, args)}`, {
      method: endpoint.method,
      redirect: 'manual',
      headers: { cookie, ...(args.body !== undefined && { 'content-type': 'application/json' }) },
      ...(args.body !== undefined && { body: JSON.stringify(args.body) }),
    });
  };
  const ask = async <E extends Endpoint>(endpoint: E, args: CallOf<E>) => {
    const answer = await send(endpoint, args);
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    const { pathname: path } = new URL(answer.url);
    checkReply({ method: endpoint.method, path, status: answer.status, type, text });
    const isJson = type.includes('json');
    const body: unknown = isJson ? JSON.parse(text) : text;
    return { status: answer.status, headers: {}, body: body as ApiReply<ReplyOf<E>>['body'] };
  };
  const entered = await send(session.signIn, { body: { auth, password } });
  if (entered.status !== 204) throw new Error(await entered.text());
  cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return {
    userId: 0,
    cookie,
    ask,
    raw: () => Promise.reject(new Error('Only a server inside the test takes raw requests.')),
    async call(endpoint, args) {
      const { status, body } = await ask(endpoint, args);
      if (status >= 400) throw new Error(`${status} ${body.code}: ${body.error}`);
      return body;
    },
  };
}
