import { expect, test } from 'vitest';
import {
  executionEnvironments,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { findRow, toPlainRow } from '../rows/tasks.store.ts';
import { openRunKeys, recordUsedKeys } from '../runs/run-keys.ts';

const image = { kind: 'container', image: 'registry.example.com/tools:1.4' } as const;
const allow = { allow_override_execution_environment_in_task: true };

async function start(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const create = async (name: string, more: object = {}) =>
    (
      await app.admin.call(executionEnvironments.create, {
        params,
        body: { name, ...image, ...more },
      })
    ).id;
  const shared = await app.admin.call(installationEnvironments.create, {
    body: { name: 'Of all', kind: 'tools', packages: ['netaddr'] },
  });
  const launch = (template_id: number, more: object = {}) =>
    app.admin.ask(tasks.start, { params, body: { template_id, ...more } });
  const usedBy = async (id: number) => {
    const whole = await app.admin.call(tasks.one, { params: { ...params, task_id: id } });
    const row = await findRow(app.ctx.db, id);
    if (!row) throw new Error('There is no such task.');
    const { snapshot } = toPlainRow(row);
    // What the runner gets is what people see.
    expect(whole.launched_with.execution_environment?.id).toBe(snapshot.executionEnvironment?.id);
    expect(row.execution_kind).toBe(snapshot.executionEnvironment?.kind ?? 'server');
    return whole.launched_with.execution_environment?.name ?? null;
  };
  const setDefault = async (execution_environment_id: number | null) => {
    const project = await app.admin.call(projects.one, { params });
    await app.admin.call(projects.update, {
      params,
      body: { ...project, execution_environment_id },
    });
  };
  return { seed, params, create, shared: shared.id, launch, usedBy, setDefault };
}

test('the choice of the launch counts, then of the template, then of the project', async () => {
  const app = await testApp();
  const { seed, create, shared, launch, usedBy, setDefault } = await start(app);
  const [own, chosen] = [await create('Own'), await create('Chosen')];
  const plain = await seed.template({ name: 'Plain' });
  const named = await seed.template({ name: 'Named', execution_environment_id: own, ...allow });
  const used = async (id: number, more?: object) => usedBy((await launch(id, more)).body.id);
  expect(await used(plain.id)).toBeNull();
  await setDefault(shared);
  expect(await used(plain.id)).toBe('Of all');
  expect(await used(named.id)).toBe('Own');
  expect(await used(named.id, { execution_environment_id: chosen })).toBe('Chosen');
  expect(await used(named.id, { execution_environment_id: null })).toBe('Own');
  // The template's own choice needs no permission; another one does.
  expect((await launch(plain.id, { execution_environment_id: chosen })).body).toMatchObject({
    code: 'task.field_not_allowed',
    params: { field: 'execution_environment_id' },
  });
});

test('a template keeps its choice when a client does not name it', async () => {
  const app = await testApp();
  const { seed, params, create } = await start(app);
  const own = await create('Own');
  const { id } = await seed.template({ name: 'Named', execution_environment_id: own, ...allow });
  const one = { params: { ...params, template_id: id } };
  const before = await app.admin.call(templates.one, one);
  const {
    execution_environment_id: _id,
    allow_override_execution_environment_in_task: _allowed,
    ...body
  } = before;
  await app.admin.call(templates.update, { ...one, body: { ...body, name: 'Other' } as never });
  const after = await app.admin.call(templates.one, one);
  expect(after).toMatchObject({ name: 'Other', execution_environment_id: own, ...allow });
});

test('a restart chooses the same again, and is refused when that was deleted', async () => {
  const app = await testApp();
  const { seed, params, create, launch, usedBy } = await start(app);
  const chosen = await create('Chosen');
  const template = await seed.template({ name: 'Plain', ...allow });
  const { id } = (await launch(template.id, { execution_environment_id: chosen })).body;
  const one = { params: { ...params, task_id: id } };
  const again = await app.admin.call(tasks.restart, one);
  expect(again.execution_environment_id).toBe(chosen);
  expect(await usedBy(again.id)).toBe('Chosen');
  await app.admin.call(executionEnvironments.remove, {
    params: { ...params, execution_environment_id: chosen },
  });
  expect((await app.admin.ask(tasks.restart, one)).body).toMatchObject({
    fields: [{ path: 'execution_environment_id', code: 'field.reference' }],
  });
  // The task still shows what it ran with.
  expect(await usedBy(id)).toBe('Chosen');
});

test('schedules, integrations and nodes of workflows choose where the template allows it', async () => {
  const app = await testApp();
  const { seed, params, create } = await start(app);
  const chosen = await create('Chosen');
  const open = await seed.template({ name: 'Open', ...allow });
  const closed = await seed.template({ name: 'Closed' });
  const task_params = { execution_environment_id: chosen };
  const schedule = (template_id: number) =>
    app.admin.ask(schedules.create, {
      params,
      body: { name: 'Nightly', template_id, cron_format: '@daily', task_params },
    });
  const workflow = (template_id: number) => {
    const node = { type: 'template' as const, key: 'a', name: 'A', template_id };
    const graph = { nodes: [{ ...node, params: task_params }] };
    return app.admin.ask(workflows.create, { params, body: { name: 'Flow', graph } });
  };
  expect((await schedule(closed.id)).body).toMatchObject({ code: 'task.field_not_allowed' });
  expect((await workflow(closed.id)).status).toBe(400);
  expect((await schedule(open.id)).body.task_params).toMatchObject(task_params);
  expect((await workflow(open.id)).body.graph.nodes[0]).toMatchObject({ params: task_params });
  const integration = await app.admin.call(integrations.create, {
    params,
    body: { name: 'Hook', template_id: open.id, task_params },
  });
  expect(integration.task_params).toMatchObject(task_params);
  const one = { params: { ...params, execution_environment_id: chosen } };
  const refs = await app.admin.call(executionEnvironments.refs, one);
  const names = Object.entries(refs).flatMap(([section, list]) =>
    list.map(({ name }) => `${section}: ${name}`),
  );
  expect(names).toEqual(['workflows: Flow', 'schedules: Nightly', 'integrations: Hook']);
  expect((await app.admin.ask(executionEnvironments.remove, one)).status).toBe(400);
});

test('the key of the registry is among the keys of a run', async () => {
  const app = await testApp();
  const { seed, params, create, launch } = await start(app);
  const login_password = { login: 'robot', password: 'canary-password' };
  const key = await app.admin.call(keys.create, {
    params,
    body: { name: 'Registry', type: 'login_password', login_password },
  });
  const own = await create('Own', { registry_key_id: key.id });
  const template = await seed.template({ execution_environment_id: own });
  const { id } = (await launch(template.id)).body;
  const row = await findRow(app.ctx.db, id);
  if (!row) throw new Error('There is no such task.');
  const task = { ...toPlainRow(row), answers: {} } as never;
  expect((await openRunKeys(app.ctx, task)).registry).toEqual({
    type: 'login_password',
    ...login_password,
  });
  await recordUsedKeys(app.ctx, task);
  const [event] = await app.ctx.db
    .selectFrom('events')
    .select('params')
    .where('code', '=', 'task.keys_used')
    .execute();
  expect(event?.params).toContain('Registry');
});
