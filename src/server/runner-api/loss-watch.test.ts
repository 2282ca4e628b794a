import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { addRunner } from '../../../test/helpers/runners.ts';
import { giveTask } from '../../../test/helpers/runner-caller.ts';
import { stopWrites } from '../../../test/helpers/stop-writes.ts';
import { launch, readTask, untilStatus } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';
import { LossWatch } from './loss-watch.ts';
import { Membership } from './membership.ts';

test('a runner is not lost as long as heartbeats cannot be stored', async () => {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id });
  const runner = await addRunner(app, [], 1);
  const silent = { last_seen: '2020-01-01T00:00:00.000Z' };
  await app.ctx.db.updateTable('runners').set(silent).where('id', '=', runner).execute();
  await giveTask(app, runner, task.id);
  await app.ctx.db.updateTable('tasks').set({ step: 1 }).where('id', '=', task.id).execute();
  const watch = new LossWatch(app.ctx, { server: 1500, remote: 1500 });
  onTestFinished(() => watch.loop.close());
  const begun = performance.now();
  const renewing = setInterval(() => watch.renew(), 100);
  watch.loop.start();
  await until(() => performance.now() - begun > 4000);
  expect((await readTask(app.admin, task)).status).toBe('running');
  clearInterval(renewing);
  await untilStatus(app.admin, task, 'error');
});

test('a server notices that its heartbeats cannot be stored', async () => {
  const app = await testApp();
  let missed = 0;
  const membership = new Membership(app.ctx, () => (missed += 1));
  await membership.start();
  const allow = await stopWrites(app);
  expect(await until(() => missed > 0, 60)).toBe(true);
  await allow();
  await membership.close();
});
