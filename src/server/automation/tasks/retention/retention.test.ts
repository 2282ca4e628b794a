// What is kept of finished tasks and their logs.

import { expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { applyStep } from '#shared/terraform/apply-step.ts';
import type { Config } from '../../../config/config.ts';
import { createApp } from '../../../app.ts';
import { type TestApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { watch } from '../../../../../test/helpers/many/watch.ts';
import { usualResult } from '../../../../../test/helpers/usual-result.ts';
import { type Seed } from '../../../../../test/helpers/seed.ts';
import { claimNext, launch, logText, untilFinished } from '../../../../../test/helpers/tasks.ts';
import { until } from '../../../../../test/helpers/until.ts';
import { tidyAll, tidyTemplate } from './retention.ts';
import { appendResults } from '../results/result-chunks.store.ts';
import { updateLogBytes } from '../rows/tasks.store.ts';
import { storeChunks } from '../../../../../test/helpers/store-chunks.ts';

const never = new AbortController().signal;
const day = 24 * 60 * 60 * 1000;

async function idsOf(app: TestApp, seed: Seed): Promise<number[]> {
  const list = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
  return list.map(({ id }) => id).toSorted((a, b) => a - b);
}

const texts = { message: '', environment: '{}', playbook: '', snapshot: '{}' };
const empty = {
  ...texts,
  limit: '',
  tags: '',
  skip_tags: '',
  debug: 0,
  dry_run: 0,
  diff: 0,
} as const;

interface Past {
  status?: TaskStatus;
  days?: number;
  version?: string;
  build_task_id?: number;
  step?: number;
}

async function start(config: Partial<Config> = {}) {
  const { app, seed } = await appWithProject(null, { config });
  /** A task of the template as it is some days after its end. */
  const past = async (
    templateId: number,
    { status = 'success', days = 0, ...fields }: Past = {},
  ): Promise<number> => {
    const time = new Date(app.clock.now().getTime() - days * day).toISOString();
    const row = {
      project_id: seed.projectId,
      template_id: templateId,
      status,
      created: time,
      end: status === 'waiting' ? null : time,
      ...empty,
      ...fields,
    };
    const { db } = app.ctx;
    const made = await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow();
    return made.id;
  };
  return { app, seed, past };
}

test('the oldest finished tasks go, and the newest stay', async () => {
  const { app, seed, past } = await start({ keepTasks: 4 });
  const own = await seed.template({ keep_tasks: 2 });
  const other = await seed.template();
  const kept: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const ids = [await past(own.id, { status: 'error' }), await past(other.id)];
    if (count >= 4) kept.push(ids[0] ?? 0);
    if (count >= 2) kept.push(ids[1] ?? 0);
  }
  await tidyTemplate(app.ctx, own.id, never);
  expect(await idsOf(app, seed)).toHaveLength(8);
  await tidyTemplate(app.ctx, other.id, never);
  expect(await idsOf(app, seed)).toEqual(kept.toSorted((a, b) => a - b));
});

test('nothing is locked or written where nothing is to be deleted', async () => {
  const { app, seed, past } = await start();
  const template = await seed.template({ keep_tasks: 1 });
  await past(template.id);
  const watched = watch(app.ctx);
  const writes = () => watched.take().filter(({ sql }) => !sql.startsWith('select')).length;
  await tidyTemplate(watched.ctx, template.id, never);
  expect(writes()).toBe(0);
  await past(template.id);
  await tidyTemplate(watched.ctx, template.id, never);
  expect(writes()).toBeGreaterThan(0);
});

test('an unfinished task stays, however old it is', async () => {
  const { app, seed, past } = await start();
  const template = await seed.template({ keep_tasks: 1, keep_days: 1 });
  const open = await past(template.id, { status: 'waiting', days: 900 });
  const held = await past(template.id, { status: 'waiting_confirmation', days: 900 });
  await past(template.id, { days: 800 });
  await past(template.id, { days: 700 });
  await tidyAll(app.ctx, never);
  expect(await idsOf(app, seed)).toEqual([open, held]);
});

test('tasks go after so many days, as their template or else the server says', async () => {
  const { app, seed, past } = await start({ keepDays: 30 });
  const own = await seed.template({ keep_days: 5 });
  const other = await seed.template();
  await past(own.id, { days: 6 });
  const young = await past(own.id, { days: 4 });
  await past(other.id, { days: 31 });
  const old = await past(other.id, { days: 29 });
  await tidyAll(app.ctx, never);
  expect(await idsOf(app, seed)).toEqual([young, old]);
});

test('a build that is deployed or may be deployed stays, and so does the newest version', async () => {
  const { app, seed, past } = await start();
  const build = await seed.template({ type: 'build', start_version: '1', keep_days: 1 });
  const fields = { type: 'deploy', build_template_id: build.id } as const;
  const deploy = await seed.template(fields);
  await past(build.id, { days: 9, version: '1' });
  const deployed = await past(build.id, { days: 8, version: '2' });
  await past(build.id, { days: 7, version: '3' });
  const newest = await past(build.id, { days: 6, version: '4' });
  await past(build.id, { days: 5, status: 'error', version: '5' });
  const counted = await past(build.id, { days: 4, status: 'error', version: '6' });
  await past(build.id, { days: 3, status: 'stopped' });
  const of = await past(deploy.id, { days: 8, build_task_id: deployed });
  await tidyAll(app.ctx, never);
  expect(await idsOf(app, seed)).toEqual([deployed, newest, counted, of]);
});

test('the last task that has applied a plan of Terraform stays, since it tells where the state is', async () => {
  const { app, seed, past } = await start();
  const template = await seed.template({ keep_tasks: 1, keep_days: 1 });
  await past(template.id, { days: 9, step: applyStep });
  const applied = await past(template.id, { days: 8, step: applyStep, status: 'error' });
  await past(template.id, { days: 7, step: applyStep - 1 });
  const last = await past(template.id);
  await tidyAll(app.ctx, never);
  await tidyTemplate(app.ctx, template.id, never);
  expect(await idsOf(app, seed)).toEqual([applied, last]);
});

test('the oldest logs go when all take too much space, and their tasks say so', async () => {
  const { app, seed, past } = await start({ keepLogBytes: 1 });
  const template = await seed.template();
  const ids: number[] = [];
  const line = { time: new Date().toISOString(), output: 'some words' };
  const { db } = app.ctx;
  for (const status of ['waiting', 'success', 'error', 'success'] as const) {
    const id = await past(template.id, { status });
    const progress = { log_lines: 1, spool_offset: 10 };
    await storeChunks(db, { id, lease: 0 }, [{ firstLine: 1, lines: [line], bytes: 11 }], progress);
    await appendResults(db, { id, lease: 0 }, 1, [usualResult]);
    await updateLogBytes(db, id);
    ids.push(id);
  }
  const { log_bytes: each } = await db
    .selectFrom('tasks')
    .select('log_bytes')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(each).toBeGreaterThan(10);
  app.ctx.config.keepLogBytes = 2 * each;
  await tidyAll(app.ctx, never);
  const list = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
  const shown = list.toReversed().map((task) => [task.id, task.log_removed, task.log_lines]);
  const [open, first, second, last] = ids;
  expect(shown).toEqual([
    [open, false, 1],
    [first, true, 0],
    [second, true, 0],
    [last, false, 1],
  ]);
  const logs = await Promise.all(list.map((task) => logText(app.admin, task)));
  expect(logs.toReversed()).toEqual(['some words', '', '', 'some words']);
  const resultsOf = () => db.selectFrom('task_result_chunks').select('task_id').execute();
  expect((await resultsOf()).map(({ task_id: id }) => id).toSorted((a, b) => a - b)).toEqual([
    open,
    last,
  ]);
  const counts = await db.selectFrom('tasks').select('results').orderBy('id').execute();
  expect(counts.map(({ results }) => results)).toEqual([1, 0, 0, 1]);
  await db.deleteFrom('tasks').execute();
  expect(await resultsOf()).toEqual([]);
});

test('thousands of tasks go without a start having to wait for it', async () => {
  const { app, seed, past } = await start();
  const template = await seed.template({ keep_tasks: 1, allow_parallel_tasks: true });
  await past(template.id);
  const { id: _id, ...row } = await app.ctx.db
    .selectFrom('tasks')
    .selectAll()
    .executeTakeFirstOrThrow();
  for (let count = 0; count < 20; count += 1) {
    const rows = Array.from({ length: 100 }, () => row);
    await app.ctx.db.insertInto('tasks').values(rows).execute();
  }
  let isDone = false;
  const tidying = tidyAll(app.ctx, never).then(() => {
    isDone = true;
  });
  const started: (number | undefined)[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { id } = await launch(app.admin, seed.projectId, { template_id: template.id });
    started.push(id, (await claimNext(app.ctx))?.id);
  }
  expect(isDone).toBe(false);
  expect(new Set(started).size).toBe(5);
  await tidying;
  expect(await idsOf(app, seed)).toHaveLength(6);
});

test('each task that ends makes room, and a server that starts looks at all', async () => {
  const { app, seed } = await appWithProject(undefined, { runner: true });
  const template = await seed.template({ keep_tasks: 2 });
  const run: Task[] = [];
  for (let count = 0; count < 4; count += 1) {
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    run.push(await untilFinished(app.admin, task));
  }
  const newest = run.slice(-2).map(({ id }) => id);
  const left = await until(async () => {
    const ids = await idsOf(app, seed);
    return ids.length <= 2 && ids;
  });
  expect(left).toEqual(newest);
  const chunks = await app.ctx.db.selectFrom('task_log_chunks').select('task_id').execute();
  expect(new Set(chunks.map(({ task_id: id }) => id))).toEqual(new Set(newest));
  await app.app.runner.close();
  app.clock.advance(3 * day);
  const config = { ...app.ctx.config, keepDays: 2 };
  const next = await createApp({ ...app.ctx, config }, { config, log: app.ctx.log });
  await next.runner.start();
  app.app.runner.close = () => next.runner.close();
  const rows = () => app.ctx.db.selectFrom('tasks').select('id').execute();
  expect(await until(async () => (await rows()).length === 0)).toBe(true);
});
