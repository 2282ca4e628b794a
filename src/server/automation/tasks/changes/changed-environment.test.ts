import { expect, test } from 'vitest';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { keys } from '#shared/api/keys.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { comparedTasks, failed } from '../../../../../test/helpers/compared-tasks.ts';
import { recordOwnEngine } from '../../../runners/container-engines.ts';

async function start() {
  const compared = await comparedTasks();
  const { app, seed, template } = compared;
  const params = { project_id: seed.projectId };
  const create = (body: { name: string; kind: 'tools'; packages: string[] }) =>
    app.admin.call(executionEnvironments.create, { params, body });
  const one = { params: { ...params, template_id: template.id } };
  const choose = async (id: number | null) => {
    // With a shared database, a runner that has reported nothing yet gets no task with tools.
    await app.ctx.db.updateTable('runners').set({ container_engine: 'podman 5.4.2' }).execute();
    const before = await app.admin.call(templates.one, one);
    const body = { ...before, execution_environment_id: id };
    await app.admin.call(templates.update, { ...one, body: body as never });
  };
  return { ...compared, params, create, choose };
}

test('tells another execution environment, and what changed in the same one', async () => {
  const { app, run, told, create, choose, params } = await start();
  const first = await create({ name: 'Old', kind: 'tools', packages: ['ansible-core==2.18.*'] });
  await run();
  await choose(first.id);
  expect(await told(await run(failed))).toEqual([
    ['setting', 'added', 'execution_environment', null, 'Old'],
    ['setting', 'changed', 'execution_kind', 'server', 'tools'],
    ['setting', 'added', 'packages', null, 'ansible-core==2.18.*'],
  ]);
  await run();
  expect(await told(await run(failed))).toEqual([]);
  await app.admin.call(executionEnvironments.update, {
    params: { ...params, execution_environment_id: first.id },
    body: { name: 'Old', kind: 'tools', packages: ['ansible-core==2.19.*'], python: '3.12' },
  });
  expect(await told(await run(failed))).toEqual([
    ['setting', 'changed', 'packages', 'ansible-core==2.18.*', 'ansible-core==2.19.*'],
    ['setting', 'added', 'execution_options', null, 'python=3.12'],
  ]);
});

const toolsWith = (digest: string): TaskTools => ({
  programs: [{ name: 'ansible', version: '2.19.0' }],
  requirements: [],
  image: { name: 'registry.example.com/tools:1.4', digest },
});

test('tells another content of the same image, and another login of its registry', async () => {
  const { app, run, told, choose, params } = await start();
  // Registers the server where several share a database.
  await run();
  await recordOwnEngine(app.ctx, null, 'podman 5.4.2');
  const [old, next] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
  const login = async (name: string) => {
    const login_password = { login: 'robot', password: 'canary-password' };
    const body = { name, type: 'login_password' as const, login_password };
    return (await app.admin.call(keys.create, { params, body })).id;
  };
  const body = { name: 'Image', kind: 'container' as const, image: 'tools:1.4' };
  const made = await app.admin.call(executionEnvironments.create, {
    params,
    body: { ...body, registry_key_id: await login('First') },
  });
  await choose(made.id);
  const task = await run({ tools: toolsWith(old) });
  const whole = await app.admin.call(tasks.one, { params: { ...params, task_id: task.id } });
  expect(whole.tools).toEqual(toolsWith(old));
  expect(whole.launched_with.execution_environment).toEqual({
    id: made.id,
    name: 'Image',
    kind: 'container',
  });
  expect(await told(await run({ ...failed, tools: toolsWith(next) }))).toEqual([
    ['image', 'changed', 'registry.example.com/tools:1.4', old, next],
  ]);
  await app.admin.call(executionEnvironments.update, {
    params: { ...params, execution_environment_id: made.id },
    body: { ...body, registry_key_id: await login('Second') },
  });
  expect(await told(await run({ ...failed, tools: toolsWith(old) }))).toEqual([
    ['key', 'changed', 'registry', 'First', 'Second'],
  ]);
});
