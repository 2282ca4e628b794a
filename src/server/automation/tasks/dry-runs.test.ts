// A dry run changes nothing, so it is told apart from a run wherever its status is, and counts for nothing.

import { describe, expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { overview } from '#shared/api/overview.ts';
import { stats } from '#shared/api/stats.ts';
import { tasks } from '#shared/api/tasks.ts';
import { addChannel, alertConfig, listAlerts } from '../../../../test/helpers/alerts.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { claimNext, launch, readTask } from '../../../../test/helpers/tasks.ts';
import { recordProgress } from './runs/progress.ts';
import { beginStep, takeVersion } from './runs/runner-tasks.ts';
import { endTask } from './move-task.ts';

const progress = { play: 'Play', task: '', tasks: 0, ok: 0, changed: 0, failed: 0, unreachable: 0 };

async function start() {
  const { app, seed, params } = await appWithProject(undefined, { config: alertConfig() });
  /** Runs a template. The program says whether it is a dry run, as far as that was not asked for. */
  async function run(
    template_id: number,
    { end = 'success' as 'success' | 'error', dry_run = false, isSaid = false } = {},
  ) {
    app.clock.advance(60_000);
    const { id } = await launch(app.admin, seed.projectId, { template_id, dry_run });
    const held = await claimNext(app.ctx);
    if (held?.id !== id) throw new Error('The task was not taken.');
    await beginStep(app.ctx, held, { step: 1, commands: [] });
    const version = await takeVersion(app.ctx, held);
    if (isSaid) await recordProgress(app.ctx, held, progress, true);
    await endTask(app.ctx, held, end, { exitCode: end === 'success' ? 0 : 2, failure: null });
    const task = await app.admin.call(tasks.one, { params: { ...params, task_id: id } });
    return { ...task, usedVersion: version };
  }
  return { app, seed, params, run };
}

describe('a dry run', () => {
  test.each([
    ['that was asked for', { dry_run: true }],
    ['that its arguments make one, as its program says', { isSaid: true }],
  ])('%s is no version, no build to deploy, and starts no deploy', async (_how, how) => {
    const { app, seed, params, run } = await start();
    const build = await seed.template({ type: 'build', start_version: '1.0' });
    const fields = { type: 'deploy', build_template_id: build.id, autorun: true } as const;
    const deploy = await seed.template(fields);
    const dry = await run(build.id, how);
    expect([dry.dry_run, dry.version, dry.usedVersion]).toEqual([true, null, '1.0']);
    expect(await app.admin.call(tasks.list, { params })).toHaveLength(1);
    const body = { template_id: deploy.id, build_task_id: dry.id };
    const refused = await app.admin.ask(tasks.start, { params, body });
    expect([refused.status, refused.body.fields?.[0]?.code]).toEqual([400, 'task.build_wrong']);
    expect((await run(build.id)).version).toBe('1.0');
    const [automatic] = await app.admin.call(tasks.list, { params });
    expect([automatic?.template_id, automatic?.build_task?.version]).toEqual([deploy.id, '1.0']);
  });

  test('is not the run that worked last, in comparisons, estimates and statistics', async () => {
    const { app, seed, params, run } = await start();
    const { id } = await seed.template();
    const good = await run(id);
    await run(id, { dry_run: true });
    await run(id, { isSaid: true });
    const bad = await run(id, { end: 'error' });
    const of = { params: { ...params, task_id: bad.id } };
    expect((await app.admin.call(tasks.changes, of)).since?.id).toBe(good.id);
    const { days } = await app.admin.call(stats.ofProject, { params, query: {} });
    const [ended] = days.filter(({ success, error }) => success + error > 0);
    expect([ended?.success, ended?.error]).toEqual([1, 1]);
  });

  test('says so in alerts and events, and does not tell that a template works again', async () => {
    const { app, seed, params, run } = await start();
    await addChannel(app.admin, seed.projectId, {
      address: 'http://127.0.0.1:9/',
      events: ['failed', 'recovered', 'succeeded'],
    });
    const { id } = await seed.template({ name: 'Site' });
    await run(id, { end: 'error' });
    await run(id, { dry_run: true });
    await run(id, { end: 'error', dry_run: true });
    await run(id);
    const alerts = await listAlerts(app.admin, seed.projectId);
    expect(alerts.map(({ event }) => event)).toEqual([
      'failed',
      'succeeded',
      'failed',
      'recovered',
    ]);
    const list = await app.admin.call(events.ofProject, { params });
    const codes = list.map(({ code }) => code).filter((code) => code.startsWith('task.'));
    expect(codes.toReversed()).toEqual([
      'task.started',
      'task.finished',
      'task.dry_run_started',
      'task.dry_run_finished',
      'task.dry_run_started',
      'task.dry_run_finished',
      'task.started',
      'task.finished',
    ]);
  });

  test('is marked in the short forms of tasks', async () => {
    const { app, seed, params, run } = await start();
    const { id } = await seed.template();
    await app.admin.call(overview.pin, { params: { ...params, template_id: id } });
    for (const isDryRun of [true, false]) {
      const task = await run(id, { end: 'error', dry_run: isDryRun });
      const { failed } = await app.admin.call(overview.tasks, {});
      expect(failed[0]).toMatchObject({ id: task.id, dry_run: isDryRun });
      const [pin] = await app.admin.call(overview.pins, {});
      expect(pin?.last_task).toMatchObject({ id: task.id, dry_run: isDryRun });
      expect((await readTask(app.admin, task)).dry_run).toBe(isDryRun);
    }
  });
});
