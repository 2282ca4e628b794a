// Release on PostgreSQL: it is about the commits of real repositories.
// Slow: commits are made and fetched in real repositories.
// Schedules that run only when a repository has new commits, with real git.

import { once } from 'node:events';
import { join } from 'node:path';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules, type Schedule } from '#shared/api/schedules.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { emptyQueue, seedSchedules } from '../../../../test/helpers/schedules.ts';
import { commitFiles, folder, git } from '../../../../test/helpers/seed.ts';
import { until } from '../../../../test/helpers/until.ts';
import { findHead } from '../../runner-api/user-inspections.ts';
import type { FindHead } from './firing.ts';
import { Scheduler } from './scheduler.ts';

async function start() {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const made = await seedSchedules(app);
  const { params, seed } = made;
  const one = { ...params, repository_id: seed.repositoryId };
  const repository = await app.admin.call(repositories.one, { params: one });
  let minute = 0;
  /** Sets the clock to the next minute; returns the new row of the schedule. */
  const tick = async (schedule: Schedule) => {
    minute += 1;
    app.clock.set(`2026-05-01T10:${String(minute).padStart(2, '0')}:01Z`);
    await app.app.scheduler.runOnce();
    const { last_fire: fire } = await made.read(schedule);
    await emptyQueue(app);
    return [fire?.reason ?? fire?.result, fire?.commit_hash];
  };
  const checks = (fields: object = {}) =>
    made.create({ repository_id: seed.repositoryId, ...fields });
  return { app, ...made, repository, path: repository.git_url, tick, checks };
}

/** This git does not answer until it is ended. */
const noAnswer: FindHead = async (_ctx, _place, signal) => {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
};

describe('a schedule that asks a repository', () => {
  test('runs at the first look and then for each new commit', async () => {
    const { app, path, tick, checks, params, fires, ...made } = await start();
    const schedule = await checks();
    const first = await git(path, 'rev-parse', 'HEAD');
    expect(await tick(schedule)).toEqual(['started', first]);
    expect(await tick(schedule)).toEqual(['no_new_commits', first]);
    const second = await commitFiles(path, { 'new.txt': 'new' });
    expect(await tick(schedule)).toEqual(['started', second]);
    expect(await tick(schedule)).toEqual(['no_new_commits', second]);
    // Another branch is not examined.
    await git(path, 'switch', '--quiet', '-c', 'other');
    await commitFiles(path, { 'new.txt': 'newer' });
    expect(await tick(schedule)).toEqual(['no_new_commits', second]);
    // A change of the schedule clears the last commit.
    const of = { ...params, schedule_id: schedule.id };
    await app.admin.call(schedules.switch, { params: of, body: { active: true } });
    expect(await tick(schedule)).toEqual(['started', second]);
    expect(await made.tasks()).toHaveLength(3);
    expect((await fires(schedule)).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await readdir(join(app.ctx.config.dataDir, 'runs'))).toEqual([]);
  });

  test('ends at its next start what it was looking for when the server died', async () => {
    const { app, path, checks, read, fires, ...made } = await start();
    const schedule = await checks();
    const dying = new Scheduler(app.ctx, noAnswer);
    app.clock.set('2026-05-01T10:01:01Z');
    await dying.start();
    await until(async () => (await read(schedule)).last_fire?.result === 'checking');
    await dying.close();
    expect((await read(schedule)).last_fire?.result).toBe('checking');
    expect(await made.tasks()).toEqual([]);
    const head = findHead(app.app.runner.inspections);
    const next = [new Scheduler(app.ctx, head), new Scheduler(app.ctx, head)];
    onTestFinished(async () => {
      for (const one of next) await one.close();
    });
    await Promise.all(next.map((one) => one.start()));
    await Promise.all(next.map((one) => one.runOnce()));
    expect(await fires(schedule)).toMatchObject([
      { result: 'started', commit_hash: await git(path, 'rev-parse', 'HEAD') },
    ]);
    expect(await made.tasks()).toHaveLength(1);
  });
});

test('a task that waits is not joined by another, and its commit stays new', async () => {
  const { app, path, checks, read } = await start();
  const schedule = await checks();
  const at = async (time: string) => {
    app.clock.set(`2026-05-01T10:${time}Z`);
    await app.app.scheduler.runOnce();
    return (await read(schedule)).last_fire?.reason;
  };
  expect(await at('01:01')).toBeNull();
  await commitFiles(path, { 'new.txt': 'new' });
  expect(await at('02:01')).toBe('previous_waiting');
  await emptyQueue(app);
  expect(await at('03:01')).toBeNull();
});

test('a repository that does not answer in its time has failed', async () => {
  const { app, checks, read } = await start();
  const schedule = await checks();
  const impatient = new Scheduler(app.ctx, noAnswer, { inspectionTimeoutMs: 20 });
  onTestFinished(() => impatient.close());
  app.clock.set('2026-05-01T10:01:01Z');
  await impatient.runOnce();
  const { last_fire: fire } = await read(schedule);
  expect(fire?.error).toContain('no answer in 0.02 seconds');
});

test('a look that another server has left behind is ended after some minutes', async () => {
  const { app, checks, read } = await start();
  const schedule = await checks({ cron_format: '1 10 1 5 *' });
  const dying = new Scheduler(app.ctx, noAnswer);
  app.clock.set('2026-05-01T10:01:01Z');
  await dying.start();
  await until(async () => (await read(schedule)).last_fire?.result === 'checking');
  await dying.close();
  const resultAt = async (time: string) => {
    app.clock.set(`2026-05-01T${time}Z`);
    await app.app.scheduler.runOnce();
    return (await read(schedule)).last_fire?.result;
  };
  expect(await resultAt('10:03:00')).toBe('checking');
  expect(await resultAt('10:04:02')).toBe('started');
});

test('a few repositories are asked at once, and all of them in the end', async () => {
  const { app, checks } = await start();
  for (let number = 0; number < 12; number += 1) await checks();
  let [now, most, all] = [0, 0, 0];
  // However slowly they are asked, none answers before some are asked at once.
  const some = Promise.withResolvers<void>();
  const counting = new Scheduler(app.ctx, async () => {
    now += 1;
    all += 1;
    most = Math.max(most, now);
    if (now === 4) some.resolve();
    await some.promise;
    await new Promise(setImmediate);
    now -= 1;
    return 'a'.repeat(40);
  });
  onTestFinished(() => counting.close());
  app.clock.set('2026-05-01T10:01:01Z');
  await counting.runOnce();
  expect([most, all]).toEqual([4, 12]);
});

test('the branch of the template comes before that of its repository, and tags count', async () => {
  const { path, seed, tick, checks, app, params } = await start();
  await git(path, 'switch', '--quiet', '-c', 'release');
  const release = await commitFiles(path, { 'new.txt': 'release' });
  await git(path, 'tag', '--annotate', '--message', 'v1', 'v1');
  const onBranch = await seed.template({ git_branch: 'release' });
  const onTag = await seed.template({ git_branch: 'v1' });
  const copy = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Copy', git_url: path, git_branch: '', ssh_key_id: seed.keyId },
  });
  const whole = await seed.template({ git_branch: 'refs/tags/v1' });
  const pinned = await seed.template({ git_branch: release });
  const lost = await seed.template({ git_branch: 'rel' });
  // This branch is from the time before names had to be exact.
  const { id } = await seed.template();
  const update = app.ctx.db.updateTable('templates').set({ git_branch: 'rel*' });
  await update.where('id', '=', id).execute();
  expect(await tick(await checks({ template_id: onBranch.id }))).toEqual(['started', release]);
  expect(await tick(await checks({ template_id: onTag.id }))).toEqual(['started', release]);
  const head = await checks({ template_id: onTag.id, repository_id: copy.id });
  expect(await tick(head)).toEqual(['started', release]);
  expect(await tick(await checks({ template_id: whole.id }))).toEqual(['started', release]);
  expect(await tick(await checks({ template_id: pinned.id }))).toEqual(['started', release]);
  expect(await tick(await checks({ template_id: lost.id }))).toEqual(['failed', null]);
  expect(await tick(await checks({ template_id: id }))).toEqual(['failed', null]);
});

test('says what keeps it from looking, and looks again', async () => {
  const { app, path, params, tick, checks, read, fires } = await start();
  const schedule = await checks({ name: 'Looks' });
  const aside = `${path}-aside`;
  await rename(path, aside);
  expect(await tick(schedule)).toEqual(['failed', null]);
  const { last_fire: failed } = await read(schedule);
  expect(failed).toMatchObject({ code: 'schedule.check_failed' });
  expect(failed?.error).toBe(
    `Cannot check the repository for new commits: The folder ${path} does not exist on the server.`,
  );
  await mkdir(path);
  await tick(schedule);
  expect((await read(schedule)).last_fire?.error).toContain('is not a git repository');
  await rename(aside, path);
  await git(path, 'branch', '--move', 'elsewhere');
  expect(await tick(schedule)).toEqual(['failed', null]);
  expect((await read(schedule)).last_fire).toMatchObject({
    code: 'schedule.branch_missing',
    params: { branch: 'main' },
  });
  await git(path, 'branch', '--move', 'main');
  expect((await tick(schedule))[0]).toBe('started');
  expect(await fires(schedule)).toHaveLength(4);
  const events = await app.ctx.db
    .selectFrom('events')
    .select('project_id')
    .where('code', '=', 'schedule.failed')
    .execute();
  expect(events).toEqual([params, params, params]);
});

test('a folder that is no longer allowed is not looked at', async () => {
  const { app, tick, checks, read } = await start();
  const schedule = await checks();
  app.ctx.config.localRepositories = [await folder()];
  expect(await tick(schedule)).toEqual(['failed', null]);
  expect((await read(schedule)).last_fire?.error).toContain('SIGNALBOX_LOCAL_REPOSITORIES');
});

test('a key without its secret is told, and no secret of a key', async () => {
  const { app, seed, params, tick, checks, read, repository } = await start();
  const secret = 'hunter-of-secrets';
  const key = await app.admin.call(keys.create, {
    params,
    body: {
      name: 'Login',
      type: 'login_password',
      login_password: { login: 'me', password: secret },
    },
  });
  // Git repeats in its message the address that it was asked for.
  await app.admin.call(repositories.update, {
    params: { ...params, repository_id: seed.repositoryId },
    body: { ...repository, git_url: `https://127.0.0.1:1/${secret}.git`, ssh_key_id: key.id },
  });
  const schedule = await checks();
  expect(await tick(schedule)).toEqual(['failed', null]);
  const { last_fire: fire } = await read(schedule);
  expect(fire?.error).toContain('********');
  expect(JSON.stringify(fire)).not.toContain(secret);
  await app.ctx.db.updateTable('keys').set({ secret: null }).execute();
  await tick(schedule);
  expect((await read(schedule)).last_fire?.error).toContain('has no secret yet');
});
