// When the tasks of a run ran on its hosts, in columns, and how many tasks a run is expected to have.

import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { taskWithLog, whereOf } from '../../../../test/helpers/logs.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { launch } from '../../../../test/helpers/tasks.ts';
import { usualResult } from '../../../../test/helpers/usual-result.ts';
import { appendResults } from './results/result-chunks.store.ts';

const begin = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

test('the times of results are read page by page, without their texts', async () => {
  const app = await testApp();
  const task = await taskWithLog(app, ['PLAY', 'TASK']);
  await appendResults(app.ctx.db, { id: task.id, lease: 0 }, 1, [
    { ...usualResult, host: 'one', begin: null, state: 'skipped' },
    { ...usualResult, host: 'two', begin: begin(5), duration_ms: 400, output: 'much text' },
    { ...usualResult, host: 'one', begin: begin(3), duration_ms: 70, section: 3, state: 'failed' },
  ]);
  const read = (query: { from?: number; limit?: number }) =>
    app.admin.call(tasks.timeline, { ...whereOf(task), query });
  expect(await read({})).toEqual({
    hosts: ['one', 'two'],
    start: begin(5),
    host: [0, 1, 0],
    section: [2, 2, 3],
    state: ['skipped', 'ok', 'failed'],
    begin: [null, 0, -2000],
    duration_ms: [0, 400, 70],
    next: null,
  });
  expect(await read({ limit: 2 })).toMatchObject({ hosts: ['one', 'two'], next: 3 });
  expect(await read({ from: 3, limit: 2 })).toMatchObject({
    hosts: ['one'],
    start: begin(3),
    state: ['failed'],
    next: null,
  });
  expect(await read({ from: 4 })).toMatchObject({ hosts: [], start: null, host: [], next: null });
});

test('a run is expected to have the tasks of the last success of its template', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const template = await seed.template();
  const start = (dryRun = false) =>
    launch(app.admin, seed.projectId, { template_id: template.id, dry_run: dryRun });
  const expected = async (taskId: number) => {
    const params = { project_id: seed.projectId, task_id: taskId };
    return (await app.admin.call(tasks.one, { params })).expected_tasks;
  };
  const hosts = { ok: 0, changed: 0, failed: 0, unreachable: 0 };
  const end = async (status: 'success' | 'error', count: number | null, isDryRun = false) => {
    const { id } = await start(isDryRun);
    const progress =
      count === null ? null : JSON.stringify({ play: 'all', task: 'x', tasks: count, ...hosts });
    const change = { status, progress, end: begin(9) } as const;
    await app.ctx.db.updateTable('tasks').set(change).where('id', '=', id).execute();
    return id;
  };
  const { id } = await start();
  expect(await expected(id)).toBeNull();
  await end('success', 21);
  const last = await end('success', 23);
  await end('error', 4);
  await end('success', 2, true);
  expect(await expected(id)).toBe(23);
  expect(await expected(last)).toBeNull();
  await end('success', null);
  expect(await expected(id)).toBeNull();
});
