// What begins by the rights on the template, or on the workflow of the run.

import { expect, test } from 'vitest';
import { grants, restrictions } from '#shared/api/grants.ts';
import { integrations } from '#shared/api/integrations.ts';
import { members } from '#shared/api/members.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { schedules } from '#shared/api/schedules.ts';
import { newTask, tasks } from '#shared/api/tasks.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp, type Caller } from '../../../../../test/helpers/app.ts';
import { placeHere } from '../../../../../test/helpers/runners.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { startTask } from '../start-task.ts';
import { admitDue } from './admission.ts';

async function start() {
  const app = await testApp({ config: { maxParallelTasks: 10 } });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const owner = await app.member(seed.projectId, 'owner');
  const template = await seed.template({ allow_parallel_tasks: true });
  const body = { name: 'Vendor', rights: [] };
  const { slug } = await owner.call(projectRoles.create, { params, body });
  const vendor = await app.member(seed.projectId, 'guest');
  const ofVendor = { params: { ...params, user_id: vendor.userId } };
  await owner.call(members.update, { ...ofVendor, body: { role: slug } });
  const give = (one: Caller, role: string, type: 'template' | 'workflow' = 'template', id = 0) =>
    owner.call(grants.create, {
      params,
      body: {
        user_id: one.userId,
        object_type: type,
        object_id: id === 0 ? template.id : id,
        role,
      },
    });
  const take = (id: number) => owner.call(grants.remove, { params: { ...params, grant_id: id } });
  const restrict = () =>
    owner.call(restrictions.set, {
      params,
      body: { object_type: 'template', object_id: template.id, mode: 'hidden' },
    });
  const launch = (one: Caller) =>
    one.call(tasks.start, { params, body: { template_id: template.id } });
  const admitted = async (): Promise<number[]> => {
    const ids: number[] = [];
    for await (const { id } of admitDue(app.ctx, placeHere)) ids.push(id);
    return ids;
  };
  const failureOf = async (id: number) =>
    (await app.admin.call(tasks.one, { params: { ...params, task_id: id } })).failure?.code;
  return {
    app,
    seed,
    params,
    owner,
    template,
    vendor,
    give,
    take,
    restrict,
    launch,
    admitted,
    failureOf,
  };
}

test('a grant is enough as long as it is there', async () => {
  const { vendor, give, take, launch, admitted, failureOf } = await start();
  const grant = await give(vendor, 'task_runner');
  const kept = await launch(vendor);
  expect(await admitted()).toEqual([kept.id]);
  const refused = await launch(vendor);
  await take(grant.id);
  expect(await admitted()).toEqual([]);
  expect(await failureOf(refused.id)).toBe('failure.launcher_right');
});

test('a restriction counts for what waits, except for those with a grant or who give access', async () => {
  const { app, seed, owner, give, restrict, launch, admitted, failureOf } = await start();
  const manager = await app.member(seed.projectId, 'manager');
  const granted = await app.member(seed.projectId, 'manager');
  await give(granted, 'task_runner');
  const refused = await launch(manager);
  const kept = [(await launch(granted)).id, (await launch(owner)).id];
  await restrict();
  expect(await admitted()).toEqual(kept);
  expect(await failureOf(refused.id)).toBe('failure.launcher_right');
});

test('a schedule and an integration begin what their author may by a grant', async () => {
  const { app, params, seed, template, vendor, give, take, admitted, failureOf } = await start();
  const grant = await give(vendor, 'manager');
  const schedule = await vendor.call(schedules.create, {
    params,
    body: { template_id: template.id, cron_format: '@daily' },
  });
  const integration = await vendor.call(integrations.create, {
    params,
    body: { name: 'Push', template_id: template.id, auth_method: '' },
  });
  const via = async (kind: 'schedule' | 'integration', viaId: number): Promise<number> => {
    const by = { userId: null, username: '', via: kind, viaId, ip: '' } as const;
    const launched = newTask.parse({ template_id: template.id });
    return (await startTask({ ...app.ctx, by }, seed.projectId, launched)).id;
  };
  const both = async () => [
    await via('schedule', schedule.id),
    await via('integration', integration.id),
  ];
  const kept = await both();
  expect(await admitted()).toEqual(kept);
  const refused = await both();
  await take(grant.id);
  expect(await admitted()).toEqual([]);
  for (const id of refused) expect(await failureOf(id)).toBe('failure.launcher_right');
});

test('a grant on a workflow begins the tasks of its runs, also of nested ones', async () => {
  const { params, owner, template, vendor, give, take, admitted, failureOf } = await start();
  const nodes = [{ type: 'template', key: 'a', name: 'A', template_id: template.id }];
  const flow = { name: 'Flow', graph: { nodes, edges: [] } };
  const inner = await owner.call(workflows.create, { params, body: flow as never });
  const around = { type: 'workflow', key: 'a', name: 'A', workflow_id: inner.id };
  const outer = { name: 'Outer', graph: { nodes: [around], edges: [] } };
  const { id } = await owner.call(workflows.create, { params, body: outer as never });
  const grant = await give(vendor, 'task_runner', 'workflow', id);
  const run = () => vendor.call(workflows.launch, { params: { ...params, workflow_id: id } });
  await run();
  expect(await admitted()).toHaveLength(1);
  await run();
  const [refused] = await owner.call(tasks.list, { params });
  await take(grant.id);
  expect(await admitted()).toEqual([]);
  expect(await failureOf(refused?.id ?? 0)).toBe('failure.launcher_right');
});
