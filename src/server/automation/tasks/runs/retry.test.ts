// Release on PostgreSQL: it is about whole tasks, with git and programs.
// Slow: whole tasks fail and are tried again.
// Tasks that fail and are tried again.

import { expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { createApp } from '../../../app.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { commitFiles, folder, seedProject, type Seed } from '../../../../../test/helpers/seed.ts';
import { claimNext, launch, logText, readTask } from '../../../../../test/helpers/tasks.ts';
import { until } from '../../../../../test/helpers/until.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { openAnswers, recordCommit } from './runner-tasks.ts';
import { retryDelay } from './retry.ts';
import { endTask, moveTask } from '../move-task.ts';

async function listTasks(app: TestApp, seed: Seed): Promise<Task[]> {
  const list = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
  return list.toSorted((a, b) => a.id - b.id);
}

async function claim(app: TestApp): Promise<RunnerTask> {
  const task = await claimNext(app.ctx);
  if (!task) throw new Error('There is nothing to claim');
  return task;
}

const params = ({ project_id, id }: Pick<Task, 'project_id' | 'id'>) => ({
  params: { project_id, task_id: id },
});

test('a failed task is tried again with the same commit, answers and launcher', async () => {
  const { app, seed } = await appWithProject(null);
  const survey = [
    { name: 'host', title: 'Host' },
    { name: 'token', title: 'Token', type: 'secret' as const },
  ];
  const fields = { retries: 2, retry_delay_s: 60, survey_vars: survey };
  const template = await seed.template(fields);
  const first = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    message: 'Nightly',
    environment: '{"host":"web1"}',
    secret: '{"token":"canary-4711"}',
  });
  const claimed = await claim(app);
  const hash = 'ab'.repeat(20);
  await recordCommit(app.ctx, claimed, { hash, message: 'Change' });
  await endTask(app.ctx, claimed, 'error');
  const [failed, again] = await listTasks(app, seed);
  expect(failed).toMatchObject({ status: 'error', attempt: 1, attempts: 3, retry_of: null });
  expect(again).toMatchObject({
    status: 'waiting',
    retry_of: first.id,
    attempt: 2,
    attempts: 3,
    user_id: first.user_id,
    message: 'Nightly',
    environment: '{"host":"web1"}',
    commit_hash: null,
  });
  const due = String(again?.not_before);
  const wait = (Date.parse(due) - Date.parse(String(failed?.end))) / 1000;
  expect(Math.round(wait)).toBe(60);
  expect(again?.waiting_for).toEqual({
    reason: 'retry',
    task_id: null,
    limit: null,
    until: due,
    tags: null,
  });
  const rows = await app.ctx.db.selectFrom('tasks').select(['id', 'secret']).execute();
  expect(rows.find(({ id }) => id === first.id)?.secret).toBeNull();
  expect(JSON.stringify(rows)).not.toContain('canary');
  expect(await claimNext(app.ctx)).toBeNull();
  app.clock.advance(60_001);
  const second = await claim(app);
  expect(second.id).toBe(again?.id);
  expect(second.snapshot.commit).toBe(hash);
  expect(second.answers).toEqual({ host: 'web1' });
  expect(await openAnswers(app.ctx, second)).toEqual({ token: 'canary-4711' });
});

test('answers that do not open keep no task from ending, and the next attempt says so', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({
    retries: 1,
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const body = { template_id: template.id, secret: '{"token": "canary-4711"}' };
  await launch(app.admin, seed.projectId, body);
  const first = await claim(app);
  // The check of the master key is sealed too, but for another place.
  const { value: secret } = await app.ctx.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'master_key_check')
    .executeTakeFirstOrThrow();
  await app.ctx.db.updateTable('tasks').set({ secret }).execute();
  await endTask(app.ctx, first, 'error');
  app.clock.advance(3_600_001);
  const second = await claim(app);
  await expect(openAnswers(app.ctx, second)).rejects.toThrow(`row ${second.id}: it was encrypted`);
});

test('the wait doubles with each further try, and the last one is the last', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ retries: 3, retry_delay_s: 100 });
  const first = await launch(app.admin, seed.projectId, { template_id: template.id });
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const ended = await claim(app);
    await endTask(app.ctx, ended, 'error');
    const last = (await listTasks(app, seed)).at(-1);
    const end = (await readTask(app.admin, { ...first, id: ended.id })).end;
    if (last?.not_before && last.status === 'waiting') {
      waits.push(Math.round((Date.parse(last.not_before) - Date.parse(String(end))) / 1000));
    }
    app.clock.advance(500_000);
  }
  expect(waits).toEqual([100, 200, 400]);
  const all = await listTasks(app, seed);
  expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(all.map(({ retry_of: of }) => of)).toEqual([null, first.id, first.id, first.id]);
  expect(await claimNext(app.ctx)).toBeNull();
});

test('a task that fails leaves one further attempt, however often it is ended', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ retries: 2 });
  await launch(app.admin, seed.projectId, { template_id: template.id });
  const claimed = await claim(app);
  const ends = await Promise.all([1, 2, 3, 4].map(() => endTask(app.ctx, claimed, 'error')));
  expect(ends.filter(Boolean)).toHaveLength(1);
  expect(await listTasks(app, seed)).toHaveLength(2);
});

test('nothing that was stopped, was never confirmed or succeeded is tried again', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ retries: 2 });
  const asking = await seed.template({ retries: 2, requires_confirmation: true });
  const body = { template_id: template.id };
  const stopped = await launch(app.admin, seed.projectId, body);
  const running = await claim(app);
  await moveTask(app.ctx, running, 'running');
  await app.admin.call(tasks.stop, { ...params(stopped), body: {} });
  await endTask(app.ctx, running, 'error');
  await launch(app.admin, seed.projectId, body);
  const succeeding = await claim(app);
  await moveTask(app.ctx, succeeding, 'running');
  await endTask(app.ctx, succeeding, 'success');
  const held = await launch(app.admin, seed.projectId, { template_id: asking.id });
  expect(await claimNext(app.ctx)).toBeNull();
  await app.admin.call(tasks.stop, { ...params(held), body: {} });
  const all = await listTasks(app, seed);
  expect(all.map(({ status }) => status)).toEqual(['stopped', 'success', 'stopped']);
});

test('what waits for its next try is stopped, alone or with all of its template', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ retries: 2, retry_delay_s: 3600 });
  const where = { project_id: seed.projectId, template_id: template.id };
  for (const stop of ['one', 'all'] as const) {
    await launch(app.admin, seed.projectId, { template_id: template.id });
    await endTask(app.ctx, await claim(app), 'error');
    const waiting = (await listTasks(app, seed)).at(-1);
    if (!waiting) throw new Error('There is no further attempt');
    const one = () => app.admin.call(tasks.stop, { ...params(waiting), body: {} });
    const all = () => app.admin.call(tasks.stopAll, { params: where, body: {} });
    await (stop === 'one' ? one() : all());
    expect((await readTask(app.admin, waiting)).status).toBe('stopped');
  }
  app.clock.advance(10_000_000);
  expect(await claimNext(app.ctx)).toBeNull();
});

test('a confirmation holds for the further tries of what was confirmed', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ retries: 1, requires_confirmation: true });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  expect(await claimNext(app.ctx)).toBeNull();
  await app.admin.call(tasks.confirm, params(task));
  await endTask(app.ctx, await claim(app), 'error');
  app.clock.advance(3_600_000);
  const again = await claim(app);
  expect(again.status).toBe('starting');
  const seen = await readTask(app.admin, { ...task, id: again.id });
  expect([seen.attempt, seen.confirmed_by]).toEqual([2, app.admin.userId]);
});

test('no wait is longer than an hour', () => {
  expect([1, 2, 3, 10].map((attempt) => retryDelay(10, attempt))).toEqual([10, 20, 40, 3600]);
  expect(retryDelay(3600, 9)).toBe(3600);
});

/** A build that succeeds with its third try, and a deploy that follows it by itself. */
async function flaky(app: TestApp) {
  const count = `${await folder()}/count`;
  const script = `echo x >> '${count}'; test "$(wc -l < '${count}')" -ge 3\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script, 'good.yml': ':\n' });
  const build = await seed.template({
    type: 'build',
    start_version: '1.0',
    retries: 3,
    retry_delay_s: 1,
  });
  const fields = { build_template_id: build.id, autorun: true, playbook: 'good.yml' };
  const deploy = await seed.template({ type: 'deploy', ...fields });
  return { seed, build, deploy };
}

test('a build is tried until it succeeds, each time with a version of its own; then it is deployed', async () => {
  const app = await testApp({ runner: true });
  const { seed, build, deploy } = await flaky(app);
  await launch(app.admin, seed.projectId, { template_id: build.id });
  const all = await until(async () => {
    const list = await listTasks(app, seed);
    return list.length === 4 && list.every(({ end }) => end !== null) && list;
  });
  const shown = all.map((task) => [task.template_id, task.status, task.version]);
  expect(shown).toEqual([
    [build.id, 'error', '1.0'],
    [build.id, 'error', '1.1'],
    [build.id, 'success', '1.2'],
    [deploy.id, 'success', null],
  ]);
  expect(all[3]?.build_task_id).toBe(all[2]?.id);
  const [, second] = all;
  expect(second && (await logText(app.admin, second))).toContain('\nAttempt 2 of 4\n');
});

test('a further try waits for its time over a restart of the server, and runs the old commit', async () => {
  const app = await testApp({ runner: true });
  const code = await folder();
  const script = 'test -e now || { echo failing; exit 1; }\n';
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template({ retries: 1, retry_delay_s: 2 });
  await launch(app.admin, seed.projectId, { template_id: template.id });
  const waiting = await until(async () => {
    const [, again] = await listTasks(app, seed);
    return again;
  });
  await app.app.runner.close();
  const { git_url: url } = await app.ctx.db
    .selectFrom('repositories')
    .select('git_url')
    .executeTakeFirstOrThrow();
  await commitFiles(url, { now: code });
  const next = await createApp(app.ctx, { config: app.ctx.config, log: app.ctx.log });
  await next.runner.start();
  app.app.runner.close = () => next.runner.close();
  const ended = await until(async () => {
    const task = await readTask(app.admin, waiting);
    return task.end !== null && task;
  });
  expect(ended.status).toBe('error');
  const [first] = await listTasks(app, seed);
  expect(ended.commit_hash).toBe(first?.commit_hash);
  expect(String(ended.start) >= String(waiting.not_before)).toBe(true);
  expect(await listTasks(app, seed)).toHaveLength(2);
});
