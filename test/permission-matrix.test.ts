// Only on SQLite: who may do what is decided before a statement is sent.
// Asks every endpoint as everybody. permission-matrix.txt contains the results, for people to read;
// after an intended change, `vitest run test/permission-matrix.test.ts --update` writes it again.

import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import type { Requirement } from '#shared/permissions.ts';
import { isRight, rightBits } from '#shared/rights.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { delegateTask } from '../src/server/runners/remote-runners.ts';
import { testApp, type Caller, type TestApp } from './helpers/app.ts';
import { everyId, type Ids } from './helpers/every-id.ts';
import { enteredRunner, publicKey } from './helpers/runner-caller.ts';
import { samples } from './helpers/samples.ts';

/** The permission that a right was part of before rights had names. */
function permissionOf(requirement: Requirement): string {
  const names = ['member', 'run_tasks', 'update_project', '', 'manage_resources'];
  const bits = isRight(requirement) ? (rightBits[requirement] ?? 0) : null;
  if (bits === null) return requirement;
  return { 6: 'manage_integrations', 8: 'manage_users' }[bits] ?? names[bits] ?? '';
}

type Column = [who: string, caller: Caller];

async function everybody(app: TestApp, own: Ids, foreign: Ids): Promise<Column[]> {
  const projectId = Number(own['project_id']);
  const owner = await app.member(projectId, 'owner');
  const token = async (fields: Parameters<typeof newToken.parse>[0], by = owner) => {
    const made = await by.call(tokens.create, { body: newToken.parse(fields) });
    return app.withToken(made.token);
  };
  const otherOwner = await app.member(Number(foreign['project_id']), 'owner');
  const runner = await enteredRunner(app);
  const remote = { id: runner.runnerId, name: '', publicKey, isOwn: false };
  const task = { id: Number(own['task_id']), lease: 1 };
  const columns: Column[] = [
    ['nobody', app.nobody],
    ['guest', await app.member(projectId, 'guest')],
    ['task_runner', await app.member(projectId, 'task_runner')],
    ['manager', await app.member(projectId, 'manager')],
    ['owner', owner],
    ['other owner', otherOwner],
    ['admin', await app.user('outside', { admin: true })],
    ['read token', await token({ scope: 'read' })],
    ['run token', await token({ scope: 'run' })],
    ['all token', await token({ scope: 'all' })],
    ['own project', await token({ project_id: projectId })],
    ['other project', await token({ project_id: Number(foreign['project_id']) }, otherOwner)],
    ['runner', runner],
    ['task', app.withToken(await delegateTask(app.ctx, remote, task))],
  ];
  return columns.map(([who, caller], index) => [who, from(caller, `127.0.1.${index}`)]);
}

/** Each caller has an address of its own, so that the requests of others do not count for it. */
const from = (caller: Caller, remoteAddress: string): Caller => ({
  ...caller,
  raw: (request) => caller.raw({ ...request, remoteAddress }),
});

/** Sends a body that cannot be valid: callers with permission learn so, and change nothing. */
async function probe({ endpoint }: NamedEndpoint, caller: Caller, ids: Ids): Promise<string> {
  const url = pathOf(endpoint, { params: ids });
  const answer = await caller.raw({ method: endpoint.method, url, payload: ['not a body'] });
  expect([url, answer.statusCode < 500]).toEqual([url, true]);
  return answer.statusCode < 300 || answer.statusCode === 400 ? 'open' : String(answer.statusCode);
}

/** Asks for a real thing of another project under the address of this one. */
async function reach(named: NamedEndpoint, caller: Caller, ids: Ids): Promise<string> {
  const { endpoint, name } = named;
  const url = pathOf(endpoint, { params: ids });
  const payload = endpoint.method === 'GET' ? undefined : (samples(ids)[name] ?? {});
  const query = queries[name];
  const answer = await caller.raw({
    method: endpoint.method,
    url,
    ...(query && { query }),
    ...(payload && { payload }),
  });
  return answer.statusCode < 300 ? 'open' : String(answer.statusCode);
}

const queries: Record<string, Record<string, string>> = {
  'tasks.lines': { from: '1' },
  'tasks.search': { q: 'e' },
};

function table(heads: string[], rows: string[][]): string {
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [heads, ...rows].map(line).join('\n');
}

test('everybody gets of every endpoint what the table says', async () => {
  const app = await testApp();
  const own = await everyId(app, app.admin);
  const foreign = await everyId(app, app.admin);
  const columns = await everybody(app, own, foreign);
  const heads = ['endpoint', 'permission', 'token', ...columns.map(([who]) => who)];

  const opened: string[][] = [];
  const reached: string[][] = [];
  for (const named of endpoints) {
    const { name, endpoint } = named;
    const about = [name, permissionOf(endpoint.permission), endpoint.token];
    const cells: string[] = [];
    for (const [, caller] of columns) cells.push(await probe(named, caller, own));
    opened.push([...about, ...cells]);
    const params = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => param ?? '');
    if (params.length < 2) continue;
    const mixed = { ...foreign, project_id: own['project_id'] ?? 0 };
    const foreignCells: string[] = [];
    for (const [, caller] of columns) foreignCells.push(await reach(named, caller, mixed));
    reached.push([...about, ...foreignCells]);
  }

  const text = [
    'What everybody gets of every endpoint, for things of the project of its members.',
    '"open": admitted, whatever the body is. A number: refused with this status.',
    "The tokens are those of the owner; that of the other project is its owner's. A runner shows its credential,",
    'or the one that it gave another process for a task.',
    '',
    table(heads, opened),
    '',
    'The same for things of another project under the address of this one.',
    '',
    table(heads, reached),
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot('permission-matrix.txt');
  expect(reached.flat()).not.toContain('open');
});
