// Workflows in backups: what is refused with its place, and who may approve in the restored project.

import { expect, test } from 'vitest';
import { backups } from '#shared/api/backups.ts';
import { inventories } from '#shared/api/inventories.ts';
import { members } from '#shared/api/members.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp, type Caller, type TestApp } from '../../../test/helpers/app.ts';
import { flows } from '../../../test/helpers/workflows.ts';

const base = {
  format: 'signalbox',
  version: 1,
  meta: { name: 'New' },
  keys: [{ name: 'Key', type: 'none' }],
  repositories: [
    { name: 'Code', git_url: 'https://example.com/c.git', git_branch: 'main', ssh_key: 'Key' },
  ],
  templates: [{ name: 'T', app: 'bash', playbook: 'a.sh', repository: 'Code' }],
};

const node = (key: string, fields: object) => ({ key, name: key, ...fields });
const run = (key: string, fields: object = {}) =>
  node(key, { type: 'template', template: 'T', ...fields });
const approval = (key: string, fields: object) =>
  node(key, { type: 'approval', question: 'Go on?', ...fields });
const nested = (key: string, workflow: string) => node(key, { type: 'workflow', workflow });
const flow = (name: string, nodes: object[], edges: object[] = []) => ({
  name,
  graph: { nodes, edges },
});

async function refusalOf(app: TestApp, list: unknown[]): Promise<string[]> {
  const { status, body } = await app.admin.ask(backups.restore, {
    body: { ...base, workflows: list },
  });
  expect([status, body.code]).toEqual([400, 'request.invalid']);
  return (body.fields ?? []).map(({ path, message }) => `${path}: ${message}`);
}

async function restore(caller: Caller, list: unknown[]) {
  const made = await caller.call(backups.restore, { body: { ...base, workflows: list } });
  const params = { project_id: made.id };
  return { made, graphs: (await caller.call(backups.read, { params })).workflows };
}

test('names that the file does not have, and unknown fields, are refused at their place', async () => {
  const app = await testApp();
  const wrong = [
    run('a', { template: 'U', params: { inventory: 'Hosts', limit: 'web', colour: 'red' } }),
    nested('b', 'Nothing'),
    approval('c', { users: ['admin'], user_ids: [1] }),
    node('d', { type: 'jump' }),
  ];
  const list = [
    { ...flow('A', [run('a')]), view: 'Front' },
    flow('B', wrong.slice(0, 3)),
    flow('C', wrong.slice(3)),
    { name: 'D' },
  ];
  expect(await refusalOf(app, list)).toEqual([
    'workflows.1.graph.nodes.0.params.colour: There is no such field',
    'workflows.1.graph.nodes.2.user_ids: There is no such field',
    'workflows.2.graph.nodes.0.type: This is not valid',
    'workflows.0.view: This file has no "Front" among its views',
    'workflows.1.graph.nodes.0.template: This file has no "U" among its templates',
    'workflows.1.graph.nodes.0.params.inventory: This file has no "Hosts" among its inventories',
    'workflows.1.graph.nodes.1.workflow: This file has no "Nothing" among its workflows',
    'workflows.3.graph: Fill this in',
  ]);
});

test('workflows that lead back to themselves are refused, and two of one name', async () => {
  const app = await testApp();
  const list = [
    flow('A', [run('first'), nested('on', 'B')]),
    flow('B', [nested('on', 'C'), nested('end', 'D')]),
    flow('C', [nested('back', 'A'), nested('self', 'C')]),
    flow('D', [run('last')]),
    flow('D', [run('last')]),
  ];
  expect(await refusalOf(app, list)).toEqual([
    'workflows.4.name: Another of the workflows in this file is named "D" too',
    'workflows.2.graph.nodes.0.workflow: The workflow of "back" leads back to this one',
    'workflows.2.graph.nodes.1.workflow: The workflow of "self" leads back to this one',
  ]);
});

test('what a saved workflow may not have is refused at its place', async () => {
  const app = await testApp();
  const circle = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];
  const list = [
    flow('A', [run('a'), run('b')], circle),
    flow('B', [run('a', { params: { limit: 'web' } }), run('b', { template: 'T' })]),
    flow('C', [node('a', { type: 'wait', until: '10:00', time_zone: 'Moon' })]),
    flow('D', [
      approval('a', {
        fields: [
          { name: 'x', title: 'X' },
          { name: 'x', title: 'Y' },
        ],
      }),
    ]),
    // Depends on one that was refused.
    flow('E', [nested('a', 'D')]),
  ];
  expect(await refusalOf(app, list)).toEqual([
    'workflows.0.graph.nodes.0.key: These nodes wait for each other in a circle: a, b',
    expect.stringMatching(/^workflows\.1\.graph\.nodes\.0\.params: .*"a".*limit/),
    'workflows.2.graph.nodes.0.time_zone: "a" names a time zone that does not exist',
    'workflows.3.graph.nodes.0.fields.1.name: Another variable has this name',
  ]);
  const rows = await app.ctx.db.selectFrom('workflows').selectAll().execute();
  expect(rows).toEqual([]);
});

test('approvals name members only; one that nobody could give is opened to owners', async () => {
  const app = await testApp();
  const { made, graphs } = await restore(await app.user('restorer', { admin: true }), [
    flow('A', [
      approval('kept', { roles: ['owner', 'guest'], users: ['Restorer', 'stranger'] }),
      approval('people', { users: ['eve', 'mallory'] }),
      approval('managers', { roles: ['manager'] }),
      approval('nobody', {}),
      approval('mine', { roles: ['manager'], users: ['restorer'] }),
    ]),
  ]);
  const asked = graphs.flatMap(({ graph }) =>
    graph.nodes.map((one) => one.type === 'approval' && [one.name, one.roles, one.users]),
  );
  expect(asked).toEqual([
    ['kept', ['owner', 'guest'], ['restorer']],
    ['people', ['owner'], []],
    ['managers', ['owner', 'manager'], []],
    ['nobody', ['owner'], []],
    ['mine', ['manager'], ['restorer']],
  ]);
  const at = 'workflows.0.graph.nodes';
  expect(made.notes.map(({ path, text }) => `${path}: ${text}`)).toEqual([
    `${at}.0.users.1: stranger is not a member of this project and was removed from the approval "kept".`,
    `${at}.1.users.0: eve is not a member of this project and was removed from the approval "people".`,
    `${at}.1.users.1: mallory is not a member of this project and was removed from the approval "people".`,
    `${at}.1.roles: No one in this project could give the approval "people". Now its owners can.`,
    `${at}.2.roles: No one in this project could give the approval "managers". Now its owners can.`,
    `${at}.3.roles: No one in this project could give the approval "nobody". Now its owners can.`,
  ]);
  expect(made.notes[0]?.params).toEqual({ name: 'kept', login: 'stranger' });
});

test('a deep chain of workflows is restored in any order', async () => {
  const app = await testApp();
  const chain = Array.from({ length: 200 }, (_, index) =>
    flow(`W${index}`, [index === 199 ? run('last') : nested('next', `W${index + 1}`)]),
  );
  expect((await restore(app.admin, chain)).graphs).toHaveLength(200);
});

test('a file without workflows, and one of another product, are restored as before', async () => {
  const app = await testApp();
  const ours = await app.admin.call(backups.restore, { body: base });
  expect(ours.notes).toEqual([]);
  const { format, version, ...older } = base;
  expect([format, version]).toEqual(['signalbox', 1]);
  const body = { ...older, meta: { name: 'Older' }, workflows: [{ nodes: 'of their own' }] };
  const made = await app.admin.call(backups.restore, { body });
  expect(made.notes.map(({ code, path }) => [code, path])).toContainEqual([
    'restored.field_unknown',
    'workflows',
  ]);
});

test('a backup holds no people that have left, and names no inventory that was deleted', async () => {
  const app = await testApp();
  const { params, seed, add, node: templateNode } = await flows(app);
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: { name: 'Blue', type: 'static', inventory: 'localhost' },
  });
  const member = await app.member(seed.projectId, 'manager');
  const list = await app.admin.call(members.list, { params });
  const { id: user_id = 0 } = list.find(({ role }) => role === 'manager') ?? {};
  const step = await templateNode(
    'step',
    { params: { inventory_id: inventory.id } },
    { allow_override_inventory_in_task: true },
  );
  const ask = {
    type: 'approval' as const,
    key: 'ask',
    name: 'Ask',
    question: '',
    user_ids: [user_id],
  };
  const workflow = await add([step, ask]);
  const before = await app.admin.call(backups.read, { params });
  expect(before.workflows[0]?.graph.nodes).toMatchObject([
    { params: { inventory: 'Blue' } },
    { users: [list.find(({ id }) => id === user_id)?.username] },
  ]);
  expect(workflow.id).toBeGreaterThan(0);
  await member.call(members.leave, { params });
  await app.admin.call(inventories.remove, { params: { ...params, inventory_id: inventory.id } });
  const after = await app.admin.call(backups.read, { params });
  expect(after.workflows[0]?.graph.nodes).toMatchObject([
    { params: { inventory: '' } },
    { users: [] },
  ]);
  const { status, body } = await app.admin.ask(backups.restore, { body: after });
  expect([status, body.fields?.map(({ path }) => path)]).toEqual([
    400,
    ['workflows.0.graph.nodes.0.params.inventory'],
  ]);
  expect(await app.admin.call(workflows.list, { params })).toHaveLength(1);
});

test('schedules and integrations come back with the workflow that they start', async () => {
  const app = await testApp();
  const schedule = { cron_format: '@daily', time_zone: 'UTC', active: false };
  const document = {
    ...base,
    workflows: [flow('Release', [run('a')])],
    schedules: [{ ...schedule, name: 'Night', workflow: 'Release' }],
    integrations: [{ name: 'Push', workflow: 'Release' }],
  };
  const made = await app.admin.call(backups.restore, { body: document });
  const params = { project_id: made.id };
  const again = await app.admin.call(backups.read, { params });
  expect(again.schedules).toMatchObject([
    { name: 'Night', template: null, workflow: 'Release', task_params: null },
  ]);
  expect(again.integrations).toMatchObject([{ template: null, workflow: 'Release' }]);
});

test('what starts an unknown workflow, two things or nothing is refused at its place', async () => {
  const app = await testApp();
  const schedule = { name: 'S', cron_format: '@daily' };
  const { body } = await app.admin.ask(backups.restore, {
    body: {
      ...base,
      workflows: [flow('Release', [run('a')])],
      schedules: [
        { ...schedule, workflow: 'Gone' },
        { ...schedule, workflow: 'Release', template: 'T' },
        { ...schedule, workflow: 'Release', task_params: { limit: 'web' } },
        schedule,
      ],
      integrations: [{ name: 'Push', workflow: 'Gone' }],
    },
  });
  expect(body.fields?.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'schedules.0.workflow restore.unknown_reference',
    'schedules.1.workflow field.one_target',
    'schedules.2.task_params field.no_launch_options',
    'schedules.3.template field.required',
    'integrations.0.workflow restore.unknown_reference',
  ]);
});
