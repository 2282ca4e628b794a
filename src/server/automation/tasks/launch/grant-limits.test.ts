import { describe, expect, test } from 'vitest';
import { grants } from '#shared/api/grants.ts';
import { members } from '#shared/api/members.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { schedules } from '#shared/api/schedules.ts';
import { newTask, tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import { type GrantLimits, noLimits } from '#shared/grants/limits.ts';
import type { Right } from '#shared/rights.ts';
import { type Caller, testApp } from '../../../../../test/helpers/app.ts';
import { placeHere } from '../../../../../test/helpers/runners.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { admitDue } from '../admission/admission.ts';
import { startTask } from '../start-task.ts';

async function start() {
  const app = await testApp({ config: { maxParallelTasks: 10 } });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const owner = await app.member(seed.projectId, 'owner');
  const template = await seed.template({
    allow_parallel_tasks: true,
    allow_override_tags_in_task: true,
    allow_override_limit_in_task: true,
    allow_override_args_in_task: true,
  });
  const withRights = async (name: string, rights: Right[]): Promise<Caller> => {
    const { slug } = await owner.call(projectRoles.create, { params, body: { name, rights } });
    const one = await app.member(seed.projectId, 'guest');
    const at = { params: { ...params, user_id: one.userId } };
    await owner.call(members.update, { ...at, body: { role: slug } });
    return one;
  };
  const give = (
    one: Caller,
    limits: Partial<GrantLimits>,
    [type, id]: ['template' | 'inventory' | 'view', number] = ['template', template.id],
    role = 'task_runner',
  ) =>
    owner.call(grants.create, {
      params,
      body: {
        user_id: one.userId,
        object_type: type,
        object_id: id,
        role,
        limits: { ...noLimits, ...limits },
      },
    });
  const launch = (one: Caller, options: object = {}) =>
    one.ask(tasks.start, { params, body: { template_id: template.id, ...options } });
  const admitted = async (): Promise<number[]> => {
    const ids: number[] = [];
    for await (const { id } of admitDue(app.ctx, placeHere)) ids.push(id);
    return ids;
  };
  const stateOf = async (task_id: number) => {
    const task = await app.admin.call(tasks.one, { params: { ...params, task_id } });
    return [task.status, task.failure?.code ?? null];
  };
  const vendor = await withRights('Vendor', []);
  return {
    app,
    seed,
    params,
    owner,
    template,
    vendor,
    withRights,
    give,
    launch,
    admitted,
    stateOf,
  };
}

const outcomeOf = ({
  status,
  body,
}: {
  status: number;
  body: { code?: string; params?: object };
}) => (status === 201 ? status : [status, body.code, body.params]);

const beyond = (allowed: string, object = 'Template 1') => [
  403,
  'grant.beyond',
  expect.objectContaining({ role: 'Task Runner', object, allowed }),
];

describe('a launch by a grant with limits', () => {
  test('is refused beyond them, with what they allow', async () => {
    const { vendor, give, launch } = await start();
    await give(vendor, { tags: ['nightly', 'smoke'] });
    expect(outcomeOf(await launch(vendor))).toEqual(beyond('only tags nightly, smoke'));
    expect(outcomeOf(await launch(vendor, { tags: 'nightly,all' }))).toEqual(
      beyond('only tags nightly, smoke'),
    );
    expect(outcomeOf(await launch(vendor, { tags: 'nightly, smoke' }))).toBe(201);
    const args = { tags: 'smoke', arguments: '["-t", "all"]' };
    expect(outcomeOf(await launch(vendor, args))).toEqual(beyond('no arguments of its own'));
  });

  test('names hosts of the list only, also in patterns', async () => {
    const { vendor, give, launch } = await start();
    await give(vendor, { hosts: ['web', 'db1'] });
    for (const limit of ['', 'all', 'web,app', 'web:!db1', 'w*']) {
      expect([limit, outcomeOf(await launch(vendor, { limit }))]).toEqual([
        limit,
        beyond('only hosts web, db1'),
      ]);
    }
    expect(outcomeOf(await launch(vendor, { limit: 'db1,web' }))).toBe(201);
  });

  test('may be within any one of several grants, and has no limits by a role', async () => {
    const { app, seed, vendor, give, launch } = await start();
    await give(vendor, { tags: ['nightly'] });
    await give(vendor, { dry_run: true });
    expect(outcomeOf(await launch(vendor, { dry_run: true }))).toBe(201);
    expect(outcomeOf(await launch(vendor, { tags: 'nightly' }))).toBe(201);
    expect(outcomeOf(await launch(vendor))).toEqual(beyond('only tags nightly'));
    const runner = await app.member(seed.projectId, 'task_runner');
    await give(runner, { tags: ['nightly'] });
    expect(outcomeOf(await launch(runner))).toBe(201);
  });

  test('gives no more than Task Runner has, whatever its role is', async () => {
    const { params, vendor, give, template } = await start();
    await give(vendor, { tags: ['nightly'] }, undefined, 'owner');
    const at = { params: { ...params, template_id: template.id } };
    const change = await vendor.ask(templates.update, { ...at, body: { tags: '' } as never });
    expect(change.status).toBe(403);
    const hand = { user_id: vendor.userId, object_type: 'template' as const, role: 'owner' };
    const body = { ...hand, object_id: template.id };
    expect((await vendor.ask(grants.create, { params, body })).status).toBe(403);
  });

  test('is limited to hosts by a grant on its inventory', async () => {
    const { seed, withRights, give, launch } = await start();
    const one = await withRights('Runs', ['template.run']);
    await give(one, { hosts: ['web'] }, ['inventory', seed.inventoryId]);
    expect(outcomeOf(await launch(one))).toEqual(beyond('only hosts web', 'Hosts'));
    expect(outcomeOf(await launch(one, { limit: 'web' }))).toBe(201);
  });
});

test('with limits, a role on a view runs its templates and only shows its workflows', async () => {
  const { app, params, owner, template, vendor, give, launch } = await start();
  const { id: view_id } = await owner.call(views.create, { params, body: { title: 'Nights' } });
  await app.ctx.db.updateTable('templates').set({ view_id }).execute();
  const node = { type: 'template' as const, key: 'a', name: 'A', template_id: template.id };
  const graph = { nodes: [node], edges: [] };
  const flow = { name: 'Night', view_id, graph };
  const { id } = await owner.call(workflows.create, { params, body: flow });
  const at = { params: { ...params, workflow_id: id } };
  const run = async () => (await vendor.ask(workflows.launch, { ...at, body: {} })).status;
  const limited = await give(vendor, { tags: ['nightly'] }, ['view', view_id]);
  expect(outcomeOf(await launch(vendor))).toEqual(beyond('only tags nightly'));
  expect(outcomeOf(await launch(vendor, { tags: 'nightly' }))).toBe(201);
  expect((await vendor.call(workflows.one, at)).name).toBe('Night');
  expect(await run()).toBe(403);
  await give(vendor, {}, ['view', view_id]);
  expect(await run()).toBe(201);
  expect(limited.limits.tags).toEqual(['nightly']);
});

test('a re-run stays within the limits, too', async () => {
  const { app, params, owner, vendor, give, launch } = await start();
  await give(vendor, { tags: ['nightly'] });
  const { body } = await launch(owner);
  await app.ctx.db.updateTable('tasks').set({ status: 'success' }).execute();
  const again = { params: { ...params, task_id: body.id } };
  expect(outcomeOf(await vendor.ask(tasks.restart, again))).toEqual(beyond('only tags nightly'));
});

test('a schedule of somebody with limits starts nothing beyond them', async () => {
  const { app, seed, params, owner, template, vendor, give, admitted, stateOf } = await start();
  await give(vendor, { tags: ['nightly'] });
  const { id } = await owner.call(schedules.create, {
    params,
    body: { template_id: template.id, cron_format: '@daily' },
  });
  await app.ctx.db.updateTable('schedules').set({ changed_by: vendor.userId }).execute();
  const by = { userId: null, username: '', via: 'schedule', viaId: id, ip: '' } as const;
  const via = async (tags: string): Promise<number> => {
    const launched = newTask.parse({ template_id: template.id, tags });
    return (await startTask({ ...app.ctx, by }, seed.projectId, launched)).id;
  };
  const [refused, kept] = [await via(''), await via('nightly')];
  expect(await admitted()).toEqual([kept]);
  expect(await stateOf(refused)).toEqual(['error', 'failure.launcher_limits']);
});

test('a second person confirms before anything begins, and nobody confirms their own', async () => {
  const { app, seed, params, vendor, give, launch, admitted, stateOf } = await start();
  await give(vendor, { second_person: true });
  const { body } = await launch(vendor);
  expect(await admitted()).toEqual([]);
  expect(await stateOf(body.id)).toEqual(['waiting_confirmation', null]);
  const at = { params: { ...params, task_id: body.id } };
  expect((await vendor.call(tasks.one, at)).confirmation_reason).toMatchObject({
    code: 'confirmation.second_person',
    params: { user: expect.any(String) },
  });
  const own = await vendor.ask(tasks.confirm, at);
  expect([own.status, (own.body as { code?: string } | undefined)?.code]).toEqual([
    403,
    'task.confirm_by_other',
  ]);
  const other = await app.member(seed.projectId, 'task_runner');
  await other.call(tasks.confirm, at);
  expect(await admitted()).toEqual([body.id]);
  const time = app.clock.now().toISOString();
  const ended = { status: 'success' as const, start: time, end: time };
  await app.ctx.db.updateTable('tasks').set(ended).execute();
  const again = await vendor.call(tasks.restart, at);
  expect(again.confirmation_reason).toBeNull();
  expect(await admitted()).toEqual([]);
  expect(await stateOf(again.id)).toEqual(['waiting_confirmation', null]);
  const byOther = await other.call(tasks.restart, at);
  expect(await admitted()).toEqual([byOther.id]);
});

test('a plan is shown to the second person before it is applied', async () => {
  const { app, seed, params, vendor, owner, admitted } = await start();
  const { id: template_id } = await seed.template({
    name: 'Plan',
    app: 'terraform',
    playbook: 'infra',
    auto_approve: true,
    inventory_id: null,
  });
  const body = { user_id: vendor.userId, object_type: 'template' as const, role: 'task_runner' };
  const limits = { ...noLimits, second_person: true };
  await owner.call(grants.create, { params, body: { ...body, object_id: template_id, limits } });
  const { id } = await vendor.call(tasks.start, { params, body: { template_id } });
  expect(await admitted()).toEqual([id]);
  const row = await app.ctx.db
    .selectFrom('tasks')
    .select(['snapshot', 'not_confirmed_by', 'auto_approve'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect([row.not_confirmed_by, row.auto_approve]).toEqual([vendor.userId, 0]);
  expect(row.snapshot).toContain('"autoApprove":false');
});

test('an administrator has no limits, and hours are of a time zone that exists', async () => {
  const { app, params, owner, template, give, launch } = await start();
  const admin = await app.user('low', { admin: true });
  const member = { user_id: admin.userId, role: 'guest' };
  await owner.call(members.create, { params, body: member });
  await give(admin, { tags: ['nightly'] });
  expect(outcomeOf(await launch(admin))).toBe(201);
  const hours = { days: [1], from: '08:00', to: '18:00', time_zone: 'Mars/Base' };
  const refused = await owner.ask(grants.create, {
    params,
    body: {
      user_id: admin.userId,
      object_type: 'template',
      object_id: template.id,
      role: 'guest',
      limits: { ...noLimits, hours },
    },
  });
  expect(refused.body.fields).toMatchObject([
    { path: 'limits.hours.time_zone', code: 'schedule.time_zone_unknown' },
  ]);
});

test('an allowed task is repeated at the commit that it has run', async () => {
  const { app, params, vendor, give, launch, admitted } = await start();
  await give(vendor, { branches: ['main'] });
  const { body } = await launch(vendor);
  const commit = { status: 'success', commit_hash: 'a'.repeat(40) } as const;
  await app.ctx.db.updateTable('tasks').set(commit).execute();
  await app.ctx.db
    .insertInto('task_hosts')
    .values({
      task_id: body.id,
      project_id: params.project_id,
      host: 'web',
      ok: 1,
      changed: 0,
      unreachable: 0,
      failed: 0,
      skipped: 0,
      rescued: 0,
      ignored: 0,
      begin: null,
      end: null,
      first_failure: null,
    })
    .execute();
  const again = await vendor.call(tasks.runAgain, {
    params: { ...params, task_id: body.id },
    body: { hosts: ['web'] },
  });
  expect(await admitted()).toEqual([again.id]);
});
