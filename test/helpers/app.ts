// A whole server on a fresh database, without a port: requests go in through `call`.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import { session } from '#shared/api/session.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { Role } from '#shared/rights.ts';
import { createApp, type App, type Parts } from '../../src/server/app.ts';
import { loadConfig, type Config } from '../../src/server/config/config.ts';
import type { Context } from '../../src/server/context/context.ts';
import { toFlag } from '../../src/server/db/row.ts';
import { insertMember } from '../../src/server/people/members/members.store.ts';
import { endRun } from '../../src/runner/supervisor/supervisor.ts';
import { findStrayWorkspaces } from '../../src/runner/workspace/workspace.ts';
import { createUser } from '../../src/server/people/users/users.ts';
import { openContext } from '../../src/server/open-context.ts';
import { checkAudit, eventsAfter, newestEvent, watchRights } from './audited.ts';
import { checkReply } from './documented.ts';
import { ownEngine, type Engine } from './engine.ts';
import { checkKept, logOf, watchedLog } from './kept-secrets.ts';
import { freshPostgres } from './postgres.ts';
import { fakePrograms } from './programs.ts';
import { runInspections, launchHere } from './runner-beside.ts';
import { freshSqlite } from './sqlite.ts';

export { ownEngine, type Engine } from './engine.ts';

export interface TestOptions {
  /** Another engine than that of the vitest project, for tests that compare engines. */
  engine?: Engine;
  config?: Partial<Config>;
  /** Whether tasks run; otherwise they stay in the queue. */
  runner?: boolean;
  liveLimits?: Parts['liveLimits'];
  alertLimits?: Parts['alertLimits'];
  /** Whether the server stays when the test ends, for tests that share it and close it themselves. */
  shared?: boolean;
}

export interface ApiReply<T> {
  status: number;
  body: T & ErrorBody;
  headers: Record<string, string | string[] | number | undefined>;
}

/** Calls the API, signed in or not. */
export interface Caller {
  userId: number;
  cookie: string;
  /** Returns the reply of a call; throws the error of the server when the call fails. */
  call: <E extends Endpoint>(endpoint: E, args: CallOf<E>) => Promise<ReplyOf<E>>;
  /** Answers status and body of a call, also when it fails. */
  ask: <E extends Endpoint>(endpoint: E, args: CallOf<E>) => Promise<ApiReply<ReplyOf<E>>>;
  /** Sends any request, also an invalid one. */
  raw: (request: InjectOptions) => Promise<LightMyRequestResponse>;
  /** Calls back at each hub event about a task; returns the function that removes the listener. */
  onTaskChange?: (taskId: number, listener: () => void) => () => void;
}

export interface TestApp {
  ctx: Context;
  app: App;
  /** The parts for a second server on the same data. */
  parts: Parts;
  clock: { now: () => Date; set: (time: string) => void; advance: (ms: number) => void };
  admin: Caller;
  nobody: Caller;
  /** Adds a user and signs them in. */
  user: (name: string, options?: { admin?: boolean }) => Promise<Caller>;
  /** Adds a user with a role in a project and signs them in. */
  member: (projectId: number, role: Role) => Promise<Caller>;
  signIn: (auth: string, password: string, code?: string) => Promise<Caller>;
  /** A caller with this API token. */
  withToken: (token: string) => Caller;
  /** Listens on a free port; returns the address. */
  listen: () => Promise<string>;
  close: () => Promise<void>;
}

export const password = 'a long test password';

/** Starts a server, which is closed and removed when the test ends, unless it is shared. */
export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-test-'));
  const { engine = ownEngine } = options;
  const postgres = engine === 'postgres' ? await freshPostgres('tables') : null;
  const config = {
    // Asking podman takes longer than most tests need a runner.
    ...loadConfig({ SIGNALBOX_CONTAINER_ENGINE: 'none' }),
    dataDir,
    databaseUrl: postgres?.url ?? null,
    localRepositories: ['/'],
    path: fakePrograms,
    ...options.config,
  };
  if (config.databaseUrl === null && config.dataDir === dataDir) await freshSqlite(config);
  const clock = testClock();
  const log = watchedLog();
  const parts: Parts = {
    config,
    clock,
    log,
    ...(options.liveLimits && { liveLimits: options.liveLimits }),
    ...(options.alertLimits && { alertLimits: options.alertLimits }),
    launchRunner: launchHere(log),
  };
  const ctx = await openContext(parts);
  const app = await createApp(ctx, parts);
  const endLooks = options.runner ? null : runInspections(app, config);
  if (options.runner) {
    await app.start();
    await app.runner.signs.confirmed;
  }
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await endLooks?.();
    await app.close();
    await ctx.close();
    // Programs that a later server would take over are ended, because their data is removed.
    for (const run of await findStrayWorkspaces(config, [])) {
      await endRun(run.dir, run.mark);
      await run.remove();
    }
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  if (!options.shared) onTestFinished(close);
  return { ctx, app, parts, clock, close, ...(await people(ctx, app)), listen: () => listen(app) };
}

async function listen(app: App): Promise<string> {
  return app.http.listen({ host: '127.0.0.1', port: 0 });
}

function testClock(): TestApp['clock'] {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    set(time) {
      offset = Date.parse(time) - Date.now();
    },
    advance(ms) {
      offset += ms;
    },
  };
}

/** Hashing passwords is slow on purpose; only the tests of passwords need the slow hash. */
const cheapHash =
  '$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdHM$o4wuarxZzgh+b68/VNoBR2MBsWLCcHNzGi+jjjTC8T0';

async function addUser(ctx: Context, name: string, admin: boolean): Promise<number> {
  const email = `${name}@example.com`;
  const { id } = await createUser(ctx, { username: name, name, email, password: null, admin });
  const inside = { password_hash: cheapHash, external: toFlag(false) };
  await ctx.db.updateTable('users').set(inside).where('id', '=', id).execute();
  return id;
}

type People = Pick<TestApp, 'admin' | 'nobody' | 'user' | 'member' | 'signIn' | 'withToken'>;

async function people(ctx: Context, app: App): Promise<People> {
  let count = 0;
  const signIn: TestApp['signIn'] = async (auth, secret, code) => {
    const answer = await inject({ ctx, app }, {}, session.signIn, {
      body: { auth, password: secret, code },
    });
    if (answer.status !== 204) throw new Error(answer.body.error);
    const cookies = [answer.headers['set-cookie'] ?? ''].flat().map(String);
    return caller({ ctx, app }, 0, { cookie: cookies.map((one) => one.split(';')[0]).join('; ') });
  };
  const user: TestApp['user'] = async (name, { admin = false } = {}) => {
    const id = await addUser(ctx, name, admin);
    return { ...(await signIn(name, password)), userId: id };
  };
  return {
    admin: await user('root', { admin: true }),
    nobody: caller({ ctx, app }, 0, {}),
    withToken: (token) => caller({ ctx, app }, 0, { authorization: `Bearer ${token}` }),
    user,
    signIn,
    async member(projectId, role) {
      count += 1;
      const one = await user(`${role}-${count}`);
      await insertMember(ctx.db, projectId, { userId: one.userId, role: { slug: role, id: null } });
      return one;
    },
  };
}

type Server = { ctx: Context; app: App };

/** The credentials of a caller. */
type Badge = { cookie?: string; authorization?: string };

function caller(server: Server, userId: number, badge: Badge): Caller {
  return {
    userId,
    cookie: badge.cookie ?? '',
    ask: (endpoint, args) => inject(server, badge, endpoint, args),
    raw: (request) => send(server, { ...request, headers: { ...badge, ...request.headers } }),
    onTaskChange: (id, listener) =>
      server.ctx.hub.subscribe('task.changed', ({ taskId }) => taskId === id && listener()),
    async call(endpoint, args) {
      const { status, body } = await inject(server, badge, endpoint, args);
      if (status >= 400) throw new Error(`${status} ${body.code}: ${body.error}`);
      return body;
    },
  };
}

/** The body of an answer, unpacked. */
function textOf({ headers, body, rawPayload }: LightMyRequestResponse): string {
  // An answer to HEAD has the headers of a body, and none.
  const encoding = rawPayload.length > 0 ? headers['content-encoding'] : undefined;
  if (encoding === 'zstd') return zstdDecompressSync(rawPayload).toString();
  return encoding === 'gzip' ? gunzipSync(rawPayload).toString() : body;
}

/** Sends a request, and checks that its answer is documented and that every change has recorded an event. */
async function send({ ctx, app }: Server, request: InjectOptions): Promise<LightMyRequestResponse> {
  const before = await newestEvent(ctx);
  const printed = logOf(ctx.log);
  const { method = 'GET', url } = request;
  const checkRights = await watchRights(ctx, method);
  const response = await app.http.inject(request);
  await checkRights();
  const path = typeof url === 'string' ? url : '';
  const { statusCode: status, headers } = response;
  const text = textOf(response);
  await checkAudit(ctx, before, { method, path, status });
  checkReply({ method, path, status, type: headers['content-type'] ?? '', text });
  await checkKept(request, [
    { name: 'the answer', read: () => `${text}${JSON.stringify(headers)}` },
    { name: 'an event', read: () => eventsAfter(ctx, before) },
    { name: 'the log of the server', read: printed },
  ]);
  return response;
}

async function inject<E extends Endpoint>(
  server: Server,
  badge: Badge,
  endpoint: E,
  args: CallOf<E>,
): Promise<ApiReply<ReplyOf<E>>> {
  const response = await send(server, {
    method: endpoint.method,
    url: pathOf(endpoint, { params: args.params }),
    query: (args.query ?? {}) as Record<string, string>,
    headers: {
      ...badge,
      ...(args.ifMatch && { 'if-match': args.ifMatch }),
    },
    ...(args.body !== undefined && { payload: args.body as object }),
  });
  const isJson = String(response.headers['content-type']).includes('json');
  const body: unknown = isJson ? response.json() : response.body;
  return {
    status: response.statusCode,
    body: body as ApiReply<ReplyOf<E>>['body'],
    headers: response.headers,
  };
}
