// Also on PostgreSQL: its rows are changed while tasks wait.
// One task that cannot run beside others that can.

import { expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { claimNext, launch, logText, untilFinished, untilStatus } from '../helpers/tasks.ts';

test('a task that cannot be run fails by itself: others run, and the server starts', async () => {
  const { app, seed } = await appWithProject();
  const survey = [{ name: 'token', title: 'Token', type: 'secret' as const }];
  const broken = await seed.template({ survey_vars: survey });
  const body = { template_id: broken.id, secret: '{"token":"x"}' };
  const left = await launch(app.admin, seed.projectId, body);
  // As an earlier server might have left it: assigned to a runner.
  expect((await claimNext(app.ctx))?.id).toBe(left.id);
  const change = { secret: 'nothing that was ever sealed' };
  await app.ctx.db.updateTable('tasks').set(change).execute();
  await app.app.runner.start();
  expect((await untilFinished(app.admin, left)).status).toBe('error');
  const first = await launch(app.admin, seed.projectId, body);
  await untilStatus(app.admin, first, 'success');
  const spoilt = await app.ctx.db
    .updateTable('templates')
    .set({ requires_confirmation: 1 })
    .where('id', '=', broken.id)
    .executeTakeFirst();
  expect(spoilt.numUpdatedRows).toBe(1n);
  const held = await launch(app.admin, seed.projectId, body);
  await untilStatus(app.admin, held, 'waiting_confirmation');
  const { secret } = change;
  await app.ctx.db.updateTable('tasks').set({ secret }).where('id', '=', held.id).execute();
  const good = await seed.template();
  const others = [await launch(app.admin, seed.projectId, { template_id: good.id })];
  await app.admin.call(tasks.confirm, {
    params: { project_id: seed.projectId, task_id: held.id },
  });
  others.push(await launch(app.admin, seed.projectId, { template_id: good.id }));
  expect((await untilFinished(app.admin, held)).status).toBe('error');
  for (const task of others) await untilStatus(app.admin, task, 'success');
  expect(await logText(app.admin, held)).not.toBe('');
});
