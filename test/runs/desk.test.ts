// Also on PostgreSQL: what a run asks is answered from the database.
// What a run asks of its installation is answered in the same way wherever the runner stands: by the
// database at hand, and over the line.

import { describe, expect, test } from 'vitest';
import { runnerDesk, type RunnerTask } from '#shared/api/runner-desk.ts';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import { createAsk, isAway, Refusal } from '../../src/runner/client/ask.ts';
import { remoteDesk } from '../../src/runner/client/desk.ts';
import type { Desk } from '../../src/runner/desk/desk.ts';
import { localDesk } from '../../src/server/runner-desk/local-desk.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { newCanary } from '../helpers/canaries.ts';
import { enterWithKey } from '../helpers/runner-caller.ts';
import { seedProject, type Seed } from '../helpers/seed.ts';
import { claimNext, launch, logText } from '../helpers/tasks.ts';

interface Case {
  app: TestApp;
  seed: Seed;
  desk: Desk;
  task: RunnerTask;
}

type Answering = (app: TestApp) => Promise<{ desk: Desk; runnerId: number | null }>;

const answering: Record<string, Answering> = {
  'the database at hand': (app) => Promise.resolve({ desk: localDesk(app.ctx), runnerId: null }),
  'a server over the line': async (app) => {
    const { credential, privateKey, runnerId } = await enterWithKey(app);
    const ask = createAsk({ url: await app.listen() }, credential);
    return { desk: remoteDesk(ask, privateKey), runnerId };
  },
};

async function begin(answer: Answering, fields: Record<string, unknown> = {}): Promise<Case> {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const template = await seed.template(fields);
  const { id } = await launch(app.admin, seed.projectId, { template_id: template.id });
  const task = await claimNext(app.ctx);
  if (task?.id !== id) throw new Error('The task was not taken.');
  const { desk, runnerId } = await answer(app);
  const change = { runner_id: runnerId };
  await app.ctx.db.updateTable('tasks').set(change).where('id', '=', id).execute();
  return { app, seed, desk, task };
}

const time = '2026-05-01T10:00:00.000Z';
const lines = (...outputs: string[]) => outputs.map((output) => ({ time, output }));

describe.each(Object.entries(answering))('%s', (_name, answer) => {
  test('notes what becomes of a task, and refuses what its status does not allow', async () => {
    const { app, seed, desk, task } = await begin(answer);
    const shown = () =>
      app.admin.call(tasks.one, { params: { project_id: seed.projectId, task_id: task.id } });
    await desk.recordCommit(task, { hash: 'abcdef0123456789', message: 'First' });
    expect(await desk.move(task, 'running')).toBe(true);
    expect(await desk.move(task, 'running')).toBe(false);
    await desk.recordStep(task, { step: 1, commands: ['bash play.yml'] });
    expect(await shown()).toMatchObject({
      status: 'running',
      commit_hash: 'abcdef0123456789',
      commit_message: 'First',
    });
    expect(await desk.end(task, 'success')).toBe(true);
    expect(await desk.end(task, 'error')).toBe(false);
    expect((await shown()).status).toBe('success');
  });

  test('stores lines with the byte behind them, and counts them', async () => {
    const { app, desk, task, seed } = await begin(answer);
    await desk.move(task, 'running');
    expect(await desk.countLines(task)).toBe(0);
    await desk.storeLines(task, { from: 1, lines: lines('one', 'two\0'), spoolOffset: 8 });
    await desk.storeLines(task, { from: 3, lines: lines('three'), spoolOffset: 14 });
    expect(await desk.countLines(task)).toBe(3);
    const all = { project_id: seed.projectId, id: task.id };
    expect(await logText(app.admin, { ...(await readOne(app, all)) })).toBe(
      'one\ntwo\uFFFD\nthree',
    );
    const row = app.ctx.db.selectFrom('tasks').select('spool_offset').where('id', '=', task.id);
    expect(await row.executeTakeFirst()).toEqual({ spool_offset: 14 });
  });

  test('opens the keys of a run, and says that it was given them', async () => {
    const password = newCanary();
    const { app, seed, desk, task } = await begin(answer);
    const key = await app.admin.call(keys.create, {
      params: { project_id: seed.projectId },
      body: { name: 'Login', type: 'login_password', login_password: { login: 'a', password } },
    });
    const snapshot = { ...task.snapshot, vaults: [{ keyId: key.id, name: 'default' }] };
    const change = { snapshot: JSON.stringify(snapshot) };
    await app.ctx.db.updateTable('tasks').set(change).where('id', '=', task.id).execute();
    const held = { ...task, snapshot };
    const opened = await desk.openKeys(held);
    expect(opened.vaults).toEqual([{ type: 'login_password', login: 'a', password }]);
    expect(opened.user).toEqual({ type: 'none' });
    await desk.recordKeys(held);
    const events = app.ctx.db
      .selectFrom('events')
      .select('params')
      .where('code', '=', 'task.keys_used');
    expect((await events.execute()).map(({ params }) => params).join()).toContain('Login');
  });

  test('gives a build its version once', async () => {
    const { desk, task } = await begin(answer, { type: 'build', start_version: '1.0.0' });
    expect(await desk.takeVersion(task)).toBe('1.0.0');
    expect(await desk.takeVersion({ ...task, version: '1.0.0' })).toBe('1.0.0');
  });

  test('takes nothing from whoever holds the task no more', async () => {
    const { app, desk, task } = await begin(answer);
    const old = { ...task, lease: task.lease - 1 };
    const more = { from: 1, lines: lines('late'), spoolOffset: 5 };
    await expect(desk.storeLines(old, more)).rejects.toThrow(/another runner|task/);
    await expect(desk.recordStep(old, { step: 1, commands: [] })).rejects.toThrow(
      /another runner|task/,
    );
    expect((await app.ctx.db.selectFrom('task_log_chunks').selectAll().execute()).length).toBe(0);
  });

  test('says which of what lies in a data folder belongs to something', async () => {
    const { seed, desk } = await begin(answer);
    const found = { mirrors: ['1-000000000000'], projects: [seed.projectId, 999_999] };
    expect(await desk.sortOut(found)).toEqual({ mirrors: [], projects: [seed.projectId] });
  });
});

const readOne = (app: TestApp, { project_id, id }: { project_id: number; id: number }) =>
  app.admin.call(tasks.one, { params: { project_id, task_id: id } });

test('over the line, a refusal is told from a server that is away', async () => {
  const app = await testApp();
  const { credential } = await enterWithKey(app);
  const here = createAsk({ url: await app.listen() }, credential);
  const gone = createAsk({ url: 'http://127.0.0.1:1' }, credential);
  const params = { task_id: 1 };
  const refused = await here(runnerDesk.secrets, { params, body: { lease: 1 } }).catch(String);
  expect(refused).toContain('task');
  const error: unknown = await gone(runnerDesk.secrets, { params, body: { lease: 1 } }).catch(
    (cause: unknown) => cause,
  );
  expect([isAway(error), error instanceof Refusal]).toEqual([true, false]);
});
