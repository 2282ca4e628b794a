import { expect, test } from 'vitest';
import { integrations } from '#shared/api/integrations.ts';
import { members } from '#shared/api/members.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { users } from '#shared/api/users.ts';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { alertDeliveries } from '#shared/api/alert-deliveries.ts';
import { testApp, type Caller } from '../../../../../test/helpers/app.ts';
import { placeHere } from '../../../../../test/helpers/runners.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { startTask } from '../start-task.ts';
import { newTask } from '#shared/api/tasks.ts';
import { admitDue } from './admission.ts';

async function start() {
  const app = await testApp({ config: { maxParallelTasks: 10 } });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const template = await seed.template({ allow_parallel_tasks: true });
  const one = await app.member(seed.projectId, 'manager');
  const launchBy = (caller: Caller) =>
    caller.call(tasks.start, { params, body: { template_id: template.id } });
  const give = (caller: Caller, role: string) =>
    app.admin.call(members.update, {
      params: { ...params, user_id: caller.userId },
      body: { role },
    });
  const admitted = async (): Promise<number[]> => {
    const ids: number[] = [];
    for await (const { id } of admitDue(app.ctx, placeHere)) ids.push(id);
    return ids;
  };
  const failureOf = async (task_id: number) => {
    const { status, failure } = await app.admin.call(tasks.one, { params: { ...params, task_id } });
    return [status, failure?.code ?? null, failure?.params];
  };
  /** A launch by a schedule or an integration. */
  const launchVia = (via: 'schedule' | 'integration', viaId: number) => {
    const by = { userId: null, username: '', via, viaId, ip: '' } as const;
    return startTask(
      { ...app.ctx, by },
      seed.projectId,
      newTask.parse({ template_id: template.id }),
    );
  };
  return { app, seed, params, template, one, launchBy, launchVia, give, admitted, failureOf };
}

test('a waiting task whose launcher may not launch any more runs nothing, and alerts', async () => {
  const { app, params, one, launchBy, give, admitted, failureOf } = await start();
  const channel = { name: 'Chat', type: 'webhook' as const, address: 'https://example.com/x' };
  await app.admin.call(alertChannels.create, {
    params,
    body: { ...channel, active: true, events: ['failed'] },
  });
  const other = await app.member(params.project_id, 'task_runner');
  const [refused, kept] = [await launchBy(one), await launchBy(other)];
  await give(one, 'guest');
  expect(await admitted()).toEqual([kept.id]);
  const name = { user: expect.stringMatching(/^manager/) };
  expect(await failureOf(refused.id)).toEqual(['error', 'failure.launcher_right', name]);
  const sent = await app.admin.call(alertDeliveries.list, { params });
  expect(sent.map(({ task_id: id, event }) => [id, event])).toEqual([[refused.id, 'failed']]);
});

test('who may only restart keeps their tasks, and an administrator is no member', async () => {
  const { app, params, one, launchBy, give, admitted } = await start();
  const body = { name: 'On call', rights: ['task.restart' as const] };
  const { slug } = await app.admin.call(projectRoles.create, { params, body });
  const outside = await app.user('outside', { admin: true });
  const ids = [(await launchBy(one)).id, (await launchBy(outside)).id];
  await give(one, slug);
  expect(await admitted()).toEqual(ids);
});

test('a schedule and an integration do what who changed them last may do', async () => {
  const { app, params, template, one, launchVia, give, admitted, failureOf } = await start();
  const schedule = await one.call(schedules.create, {
    params,
    body: { template_id: template.id, cron_format: '@daily' },
  });
  const integration = await one.call(integrations.create, {
    params,
    body: { name: 'Push', template_id: template.id, auth_method: '' },
  });
  const launched = async () => [
    (await launchVia('schedule', schedule.id)).id,
    (await launchVia('integration', integration.id)).id,
  ];
  const before = await launched();
  expect(await admitted()).toEqual(before);
  await give(one, 'guest');
  const refused = await launched();
  expect(await admitted()).toEqual([]);
  for (const id of refused) expect((await failureOf(id))[1]).toBe('failure.launcher_right');
  // Whoever saves it again answers for it.
  const at = { params: { ...params, schedule_id: schedule.id } };
  await app.admin.call(schedules.update, { ...at, body: { name: 'Mine' } as never });
  const { id } = await launchVia('schedule', schedule.id);
  expect(await admitted()).toEqual([id]);
});

test('nothing of a deleted account begins', async () => {
  const { app, params, template, one, launchBy, launchVia, admitted, failureOf } = await start();
  const schedule = await one.call(schedules.create, {
    params,
    body: { template_id: template.id, cron_format: '@daily' },
  });
  const waiting = await launchBy(one);
  const later = await launchVia('schedule', schedule.id);
  await app.admin.call(users.remove, { params: { user_id: one.userId } });
  expect(await admitted()).toEqual([]);
  for (const { id } of [waiting, later]) {
    expect(await failureOf(id)).toEqual(['error', 'failure.launcher_gone', {}]);
  }
});
