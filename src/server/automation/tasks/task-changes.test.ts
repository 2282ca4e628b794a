import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import {
  changeInventory,
  comparedTasks,
  failed,
  runOne,
} from '../../../../test/helpers/compared-tasks.ts';

test('a task is compared with the last one that succeeded, with the same inventory', async () => {
  const { app, seed, template, run, changes, told } = await comparedTasks();
  const first = await run(failed);
  expect(await changes(first)).toEqual({ since: null, changes: [] });
  const good = await run();
  const again = await run(failed);
  await run();
  const { since, changes: none } = await changes(again);
  expect([since?.id, none]).toEqual([good.id, []]);
  expect(since?.end).toEqual(expect.any(String));
  const params = { project_id: seed.projectId };
  const body = {
    name: 'Others',
    type: 'static' as const,
    inventory: 'db1\n',
    ssh_key_id: seed.keyId,
  };
  const { id: inventory_id } = await app.admin.call(inventories.create, { params, body });
  expect((await changes(await run(failed, { inventory_id }))).since).toBeNull();
  const other = await seed.template();
  const elsewhere = await runOne(app, {
    seed,
    caller: app.admin,
    ended: failed,
    asked: { template_id: other.id },
  });
  expect((await changes(elsewhere)).since).toBeNull();
  expect(await told(await run(failed, { inventory_id: null }))).toEqual([]);
  await app.admin.call(templates.remove, {
    params: { project_id: seed.projectId, template_id: template.id },
  });
  const { id: task_id } = again;
  const gone = await app.admin.ask(tasks.changes, { params: { ...params, task_id } });
  expect([gone.status, gone.body.code]).toEqual([404, 'task.not_found']);
});

test('tells changed settings of the template and of the launch, and who launched it', async () => {
  const { app, seed, template, run, told } = await comparedTasks();
  await run();
  const member = await app.member(seed.projectId, 'owner');
  const params = { project_id: seed.projectId, template_id: template.id };
  const { last_task: _last, ...body } = await app.admin.call(templates.one, { params });
  await app.admin.call(templates.update, {
    params,
    body: {
      ...body,
      name: 'Renamed',
      playbook: 'other.yml',
      arguments: '["-v"]',
      environment_ids: [],
      environment_id: null,
    },
  });
  const task = await run(
    failed,
    { limit: 'web1', dry_run: true, environment: '{"size":"3"}' },
    member,
  );
  expect(await told(task)).toEqual([
    ['setting', 'changed', 'playbook', 'play.yml', 'other.yml'],
    ['answer', 'added', 'size', null, '3'],
    ['setting', 'removed', 'environments', 'Variables', null],
    ['setting', 'added', 'arguments', null, '-v'],
    ['setting', 'added', 'limit', null, 'web1'],
    ['setting', 'changed', 'dry_run', 'false', 'true'],
    ['launcher', 'changed', '', 'root', 'owner-1'],
    ['setting', 'changed', 'name', template.name, 'Renamed'],
  ]);
});

test('tells the hosts that are new in an inventory or gone from it', async () => {
  const { app, seed, run, told } = await comparedTasks();
  await changeInventory(app, seed, 'web1\n[db]\ndb1 port=1\n[db:vars]\nport=2\n');
  await run();
  await changeInventory(app, seed, '# more\n[db]\ndb1 port=1\ndb2\n[db:vars]\nport=2\n');
  expect(await told(await run(failed))).toEqual([
    ['host', 'added', 'db2', null, null],
    ['host', 'removed', 'web1', null, null],
  ]);
  await changeInventory(app, seed, 'web1\n[db]\ndb1 port=1\n[db:vars]\nport=3\n');
  expect(await told(await run(failed))).toEqual([['inventory', 'changed', '', null, null]]);
});

test('tells programs and requirements of another version, once both tasks have recorded them', async () => {
  const { run, told } = await comparedTasks();
  const requirement = (name: string, version: string) =>
    ({ kind: 'collection', name, version }) as const;
  const before: TaskTools = {
    programs: [
      { name: 'ansible', version: '2.17.1' },
      { name: 'python', version: '3.12.3' },
    ],
    requirements: [
      requirement('a.b', '1.0.0'),
      requirement('a.c', '1.0.0'),
      requirement('a.d', '1.0.0'),
    ],
  };
  await run();
  expect(await told(await run({ ...failed, tools: before }))).toEqual([]);
  await run({ tools: before });
  expect(await told(await run(failed))).toEqual([]);
  const after: TaskTools = {
    programs: [{ name: 'ansible', version: '2.18.0' }],
    requirements: [
      requirement('a.b', '1.0.0'),
      requirement('a.c', '2.0.0'),
      requirement('a.e', '3.0.0'),
    ],
  };
  expect(await told(await run({ ...failed, tools: after }))).toEqual([
    ['requirement', 'changed', 'a.c', '1.0.0', '2.0.0'],
    ['requirement', 'removed', 'a.d', '1.0.0', null],
    ['requirement', 'added', 'a.e', null, '3.0.0'],
    ['program', 'changed', 'ansible', '2.17.1', '2.18.0'],
  ]);
});

test('what keeps a host from being reached is most likely if hosts were unreachable', async () => {
  const { app, seed, run, told } = await comparedTasks();
  await run();
  await changeInventory(app, seed, 'localhost ansible_connection=local\nweb1\n');
  const failures = [
    {
      state: 'unreachable' as const,
      task: 'Gathering Facts',
      module: 'setup',
      role: '',
      path: null,
      file_line: null,
      message: 'No route to host',
      result: 1,
      line: null,
      hosts: ['web1'],
      host_count: 1,
    },
  ];
  const asked = { environment: '{"size":"3"}' };
  const kinds = async (task: Task) => (await told(task)).map(([kind]) => kind);
  expect(await kinds(await run(failed, asked))).toEqual(['answer', 'host']);
  expect(await kinds(await run({ ...failed, failures }, asked))).toEqual(['host', 'answer']);
});
