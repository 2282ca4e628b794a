// Requests as programs of other makers put them on the wire: each with the headers of its own HTTP
// library, and without those that only browsers send. Nothing of our contract is used here, so that it
// cannot follow a change of it.

import { request, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { password } from './app.ts';
import { until } from './until.ts';

export type Json = Record<string, unknown>;

interface ReplayedReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** An object or a list; empty when the answer has no JSON. */
  json: Json;
  list: Json[];
}

type Headers = Record<string, string>;

/** Sends exactly these headers, beside `Host` and the length of the body. */
export function sendRaw(
  address: string,
  [method, path]: [method: string, path: string],
  headers: Headers,
  body?: string,
): Promise<ReplayedReply> {
  return new Promise((resolve, reject) => {
    const asked = request(`${address}/api${path}`, { method, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('error', reject);
      reply.on('end', () => resolve(answerOf(reply, Buffer.concat(parts))));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function answerOf(
  { statusCode = 0, headers }: { statusCode?: number | undefined; headers: IncomingHttpHeaders },
  bytes: Buffer,
): ReplayedReply {
  const isPacked = headers['content-encoding'] === 'gzip';
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
  const parsed: unknown = /^[[{]/.test(text) ? JSON.parse(text) : {};
  return { status: statusCode, headers, text, json: parsed as Json, list: parsed as Json[] };
}

/** What a program adds to each request, and to those with a body. */
interface Library {
  always: Headers;
  withBody: Headers;
  write: (body: unknown) => string;
}

/** Python writes a space after each comma and colon. */
const writeAsPython = (body: unknown): string =>
  JSON.stringify(body, null, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/([[{]) /g, '$1')
    .replaceAll(/ ([\]}])/g, '$1');

export const libraries = {
  /** Command lines and providers of Terraform. */
  go: {
    always: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'Go-http-client/1.1',
    },
    withBody: { 'content-type': 'application/json' },
    write: (body) => `${JSON.stringify(body)}\n`,
  },
  /** Tools of agents: the session has the content type, so that requests without a body have it too. */
  requests: {
    always: {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate',
      'content-type': 'application/json',
      'user-agent': 'python-requests/2.32.3',
    },
    withBody: {},
    write: writeAsPython,
  },
  /** Other tools of agents. */
  nodeFetch: {
    always: {
      accept: '*/*',
      'accept-language': '*',
      'accept-encoding': 'gzip, deflate',
      'content-type': 'application/json',
      'sec-fetch-mode': 'cors',
      'user-agent': 'node',
    },
    withBody: {},
    write: JSON.stringify,
  },
  /** Collections of Ansible, for which a body is a form unless they say otherwise. */
  urllib: {
    always: {
      'accept-encoding': 'identity',
      connection: 'close',
      'user-agent': 'Python-urllib/3.12',
    },
    withBody: { 'content-type': 'application/x-www-form-urlencoded' },
    write: writeAsPython,
  },
  /** The older web client, a page of a browser from this server. */
  axios: {
    always: {
      accept: 'application/json, text/plain, */*',
      'accept-encoding': 'gzip, deflate, br',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0',
    },
    withBody: { 'content-type': 'application/json' },
    write: JSON.stringify,
  },
  /** Scripts with `curl -d`. */
  curl: {
    always: { accept: '*/*', 'user-agent': 'curl/8.14.1' },
    withBody: { 'content-type': 'application/x-www-form-urlencoded' },
    write: JSON.stringify,
  },
} satisfies Record<string, Library>;

export interface Program {
  /** Any request. A text as the body is sent as it is. */
  ask: (method: string, path: string, body?: unknown) => Promise<ReplayedReply>;
  /** The reply of a request that succeeds; throws otherwise. */
  call: (method: string, path: string, body?: unknown) => Promise<Json>;
  list: (path: string) => Promise<Json[]>;
}

/** A program with these credentials: `{ authorization }`, `{ cookie }` or none. */
export function programOf(
  address: string,
  library: keyof typeof libraries,
  credentials: Headers = {},
): Program {
  const { always, withBody, write }: Library = libraries[library];
  const ask: Program['ask'] = (method, path, body) => {
    const text = body === undefined || typeof body === 'string' ? body : write(body);
    const headers = { ...(text !== undefined && withBody), ...always, ...credentials };
    return sendRaw(address, [method, path], headers, text as string | undefined);
  };
  const ok: Program['ask'] = async (method, path, body) => {
    const answer = await ask(method, path, body);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };
  return {
    ask,
    call: async (method, path, body) => (await ok(method, path, body)).json,
    list: async (path) => (await ok('GET', path)).list,
  };
}

export const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${String(token)}` });

/** The session cookie alone, as a cookie jar sends it back. */
export const cookieOf = ({ headers }: ReplayedReply): Headers => {
  const all = headers['set-cookie'] ?? [];
  return { cookie: all.map((one) => one.split(';')[0]).join('; ') };
};

/** Signs in as a program in Go does and makes a token. */
export async function tokenOf(address: string, auth = 'root'): Promise<string> {
  const stranger = programOf(address, 'go');
  const signedIn = await stranger.ask('POST', '/auth/login', { auth, password });
  const made = await programOf(address, 'go', cookieOf(signedIn)).ask('POST', '/user/tokens');
  return String(made.json['id']);
}

/** Asks again and again, as programs do that wait for a task. */
export async function pollTask(program: Program, path: string, status: string): Promise<Json> {
  return until(async () => {
    const task = await program.call('GET', path);
    return task['status'] === status && task;
  });
}
