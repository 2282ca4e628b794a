import { expect, test } from 'vitest';
import { hosts } from '#shared/api/hosts.ts';
import { inventories } from '#shared/api/inventories.ts';
import type { RunHost } from '#shared/api/run-results.ts';
import { tasks } from '#shared/api/tasks.ts';
import { type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject, type Seed } from '../../../../test/helpers/seed.ts';
import { tidyAll } from '../../automation/tasks/retention/retention.ts';
import { upsertHosts } from '../../automation/tasks/results/task-hosts.store.ts';
import { endTask, moveTask } from '../../automation/tasks/move-task.ts';
import { updateAfterDeletion } from './host-rows.store.ts';

const none = { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
const inRun = (host: string, counts: Partial<RunHost>): RunHost => ({
  host,
  ...none,
  begin: null,
  end: null,
  duration_ms: 1500,
  first_failure: null,
  ...counts,
});
const failure = { result: 1, state: 'failed', task: 'Copy', message: 'No space', line: 7 } as const;

/** A task of the template that runs on these hosts. */
async function begin(app: TestApp, seed: Seed, template_id: number, on: RunHost[]) {
  const params = { project_id: seed.projectId };
  const { id } = await app.admin.call(tasks.start, { params, body: { template_id } });
  const task = { id, project_id: seed.projectId };
  for (const to of ['starting', 'running'] as const) await moveTask(app.ctx, task, to);
  const row = await app.ctx.db
    .selectFrom('tasks')
    .select('lease')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await upsertHosts(app.ctx.db, { ...task, ...row }, on);
  return task;
}

/** A task of the template that has run on these hosts. */
async function run(...given: Parameters<typeof begin>): Promise<number> {
  const task = await begin(...given);
  await endTask(given[0].ctx, task, 'success');
  return task.id;
}

const inventory = (seed: Seed, text: string, name = 'Production') => ({
  name,
  type: 'static' as const,
  inventory: text,
  ssh_key_id: seed.keyId,
});

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const { id: template } = await seed.template({ name: 'Patch', allow_parallel_tasks: true });
  const list = async (query = {}, caller: Pick<TestApp['admin'], 'call'> = app.admin) =>
    caller.call(hosts.list, { params, query });
  const names = async (query = {}, caller: Pick<TestApp['admin'], 'call'> = app.admin) =>
    (await list(query, caller)).map(({ name }) => name);
  const clear = async () => {
    for (const { id } of await app.admin.call(inventories.list, { params })) {
      await app.ctx.db
        .updateTable('templates')
        .set({ inventory_id: null })
        .where('inventory_id', '=', id)
        .execute();
      await app.admin.call(inventories.remove, { params: { ...params, inventory_id: id } });
    }
  };
  await clear();
  return { app, seed, params, template, list, names };
}

test('the hosts of inventories and of runs are listed in their natural order', async () => {
  const { app, seed, params, template, list, names } = await start();
  const text = '[web]\nweb-[1:10]\n[db]\nDB-2\n[site:children]\nweb\n';
  const made = await app.admin.call(inventories.create, { params, body: inventory(seed, text) });
  expect((await names()).slice(0, 4)).toEqual(['DB-2', 'web-1', 'web-2', 'web-3']);
  const first = await run(app, seed, template, [inRun('web-2', { ok: 3, changed: 1 })]);
  const second = await run(app, seed, template, [
    inRun('web-2', { failed: 1, ok: 1, first_failure: failure }),
    inRun('odd/näme?.#%', { unreachable: 1 }),
  ]);
  const third = await run(app, seed, template, [inRun('web-2', { ok: 1, skipped: 4 })]);
  const [web2] = await list({ q: 'WEB-2' });
  const task = { template_id: template, template_name: 'Patch', status: 'success' };
  expect(web2).toMatchObject({
    name: 'web-2',
    inventories: [{ id: made.id, name: 'Production', groups: ['site', 'web'] }],
    last_run: { ...task, task_id: third, outcome: 'ok' },
    last_failure: { ...task, task_id: second, outcome: 'failed', first_failure: failure },
    results: [
      { task_id: first, outcome: 'changed' },
      { task_id: second, outcome: 'failed' },
      { task_id: third, outcome: 'ok' },
    ],
  });
  const [db] = await list({ q: 'db' });
  expect(db).toMatchObject({ name: 'DB-2', last_run: null, last_failure: null, results: [] });
  expect(await names({ outcome: 'ok' })).toEqual(['web-2']);
  expect(await names({ outcome: 'failed' })).toEqual([]);
  expect(await names({ outcome: 'unreachable' })).toEqual(['odd/näme?.#%']);
  expect(await names({ outcome: 'none' })).toHaveLength(10);
  expect((await names({ sort: 'last_run', order: 'desc' })).slice(0, 2)).toEqual([
    'web-2',
    'odd/näme?.#%',
  ]);
});

test('the pages of hosts have each one once, in every order', async () => {
  const { app, seed, params, template, names } = await start();
  await app.admin.call(inventories.create, { params, body: inventory(seed, 'h[1:12]') });
  await run(app, seed, template, [inRun('h3', { ok: 1 }), inRun('h7', { ok: 1 })]);
  for (const sort of ['name', 'last_run'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const found: string[] = [];
      let url: string | undefined =
        `/api/project/${seed.projectId}/hosts?sort=${sort}&order=${order}&limit=5`;
      while (url !== undefined) {
        const answer = await app.admin.raw({ method: 'GET', url });
        found.push(...answer.json<{ name: string }[]>().map(({ name }) => name));
        url = /^<([^>]+)>/.exec(String(answer.headers['link'] ?? ''))?.[1];
      }
      expect(found).toEqual(await names({ sort, order }));
      expect(new Set(found).size).toBe(12);
    }
  }
});

test('a host of any name has its own address and history', async () => {
  const { app, seed, params, template } = await start();
  const name = `odd/${'n'.repeat(230)} ä#?%2F..`;
  await run(app, seed, template, [inRun(name, { ok: 1 })]);
  const failed = await run(app, seed, template, [
    inRun(name, { failed: 2, first_failure: failure }),
  ]);
  const { id: running } = await begin(app, seed, template, [inRun(name, { ok: 5 })]);
  const one = await app.admin.call(hosts.one, { params: { ...params, host: name } });
  // A run that goes on is no result yet.
  expect(one).toMatchObject({ name, last_run: { task_id: failed, outcome: 'failed' } });
  const at = { ...params, host: name };
  const history = await app.admin.call(hosts.tasks, { params: at, query: { limit: 2 } });
  expect(history).toMatchObject([
    { id: running, status: 'running', outcome: 'ok', ok: 5, duration_ms: 1500 },
    { id: failed, status: 'success', failed: 2, first_failure: failure, template_name: 'Patch' },
  ]);
  const rest = await app.admin.call(hosts.tasks, { params: at, query: { before: failed } });
  expect(rest).toHaveLength(1);
  for (const endpoint of [hosts.one, hosts.facts, hosts.tasks]) {
    // The longest name takes twelve bytes for each of its characters.
    for (const host of ['nowhere', '\u{20000}'.repeat(125), '\u65e5'.repeat(250)]) {
      const answer = await app.admin.ask(endpoint, { params: { ...params, host } });
      expect([answer.status, answer.body.code]).toEqual([404, 'host.not_found']);
    }
  }
  const unclean = await app.admin.ask(hosts.one, { params: { ...params, host: 'a\u001ab' } });
  expect(unclean.body.fields).toMatchObject([{ path: 'host', code: 'field.control_characters' }]);
  const elsewhere = { project_id: (await seedProject(app.admin, null)).projectId, host: name };
  expect((await app.admin.ask(hosts.one, { params: elsewhere })).status).toBe(404);
});

test('a host shows its last twenty results, the newest last', async () => {
  const { app, seed, template, list } = await start();
  const ids: number[] = [];
  for (let count = 0; count < 22; count += 1) {
    ids.push(await run(app, seed, template, [inRun('a', { ok: 1 })]));
  }
  const [host] = await list();
  expect(host?.results.map(({ task_id: id }) => id)).toEqual(ids.slice(2));
});

test('guests see the hosts of runs, and nothing of inventories', async () => {
  const { app, seed, params, template, list, names } = await start();
  await app.admin.call(inventories.create, { params, body: inventory(seed, '[g]\na\nb') });
  await run(app, seed, template, [inRun('a', { ok: 1 })]);
  const guest = await app.member(seed.projectId, 'guest');
  expect(await names({}, guest)).toEqual(['a']);
  expect((await list({}, guest))[0]?.inventories).toEqual([]);
  const one = await guest.ask(hosts.one, { params: { ...params, host: 'b' } });
  expect(one.body.code).toBe('host.not_found');
  const runner = await app.member(seed.projectId, 'task_runner');
  expect(await names({}, runner)).toEqual(['a', 'b']);
});

test('hosts follow their inventories and leave with the last thing that names them', async () => {
  const { app, seed, params, template, list, names } = await start();
  const body = inventory(seed, '[x]\na\nb\nc');
  const { id } = await app.admin.call(inventories.create, { params, body });
  const at = { ...params, inventory_id: id };
  await run(app, seed, template, [inRun('c', { ok: 1 })]);
  const changed = inventory(seed, '[x]\na\n[y]\nb\nd');
  await app.admin.call(inventories.update, { params: at, body: changed });
  expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  expect((await list({ q: 'b' }))[0]?.inventories).toMatchObject([{ groups: ['y'] }]);
  const file = { ...changed, type: 'file' as const, inventory: 'hosts' };
  await app.admin.call(inventories.update, { params: at, body: file });
  expect(await names()).toEqual(['c']);
  await app.admin.call(inventories.update, { params: at, body });
  expect(await names()).toEqual(['a', 'b', 'c']);
  await app.admin.call(inventories.remove, { params: at });
  expect(await names()).toEqual(['c']);
  expect(await app.ctx.db.selectFrom('hosts').select('name').execute()).toEqual([{ name: 'c' }]);
});

test('a deleted task leaves the one before as the last run of its hosts', async () => {
  const { app, seed, params, template, list, names } = await start();
  const older = await run(app, seed, template, [inRun('a', { failed: 1 })]);
  const newer = await run(app, seed, template, [inRun('a', { ok: 1 }), inRun('b', { ok: 1 })]);
  await app.admin.call(tasks.remove, { params: { ...params, task_id: newer } });
  expect(await names()).toEqual(['a']);
  expect((await list())[0]).toMatchObject({ last_run: { task_id: older, outcome: 'failed' } });
  expect(await names({ outcome: 'failed' })).toEqual(['a']);
  await app.ctx.db
    .updateTable('tasks')
    .set({ end: '2001-01-01T00:00:00.000Z' })
    .where('id', '=', older)
    .execute();
  const ctx = { ...app.ctx, config: { ...app.ctx.config, keepDays: 1 } };
  await tidyAll(ctx, new AbortController().signal);
  expect(await names()).toEqual([]);
  // Nothing is left to be done.
  await updateAfterDeletion(app.ctx.db, seed.projectId);
  expect(await app.ctx.db.selectFrom('hosts').selectAll().execute()).toEqual([]);
});
