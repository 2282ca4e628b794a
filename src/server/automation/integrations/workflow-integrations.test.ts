// Integrations that start workflows.

import { expect, test } from 'vitest';
import { deliveries } from '#shared/api/deliveries.ts';
import { integrations } from '#shared/api/integrations.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import type { CallOf } from '#shared/api/endpoint.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { makeReceiver } from '../../../../test/helpers/integrations.ts';
import { logText, untilFinished } from '../../../../test/helpers/tasks.ts';
import { flows } from '../../../../test/helpers/workflows.ts';
import { until } from '../../../../test/helpers/until.ts';

async function start() {
  const app = await testApp();
  const f = await flows(app);
  const workflow = await f.add([await f.node('build'), await f.node('deploy')], 'build>deploy');
  const receiver = await makeReceiver(app.admin, f.params.project_id, {
    name: 'Push',
    workflow_id: workflow.id,
  });
  const runs = () => app.admin.call(workflowRuns.list, { params: f.params });
  return { app, f, workflow, receiver, runs };
}

test('a request starts a run with its values in the tasks of all nodes', async () => {
  const { app, f, receiver, runs } = await start();
  await receiver.extract({ key: 'ref', variable: 'branch' });
  await receiver.send({ body: { ref: 'canary-main' } });
  const [run] = await runs();
  if (!run) throw new Error('there is no run');
  expect(run).toMatchObject({ integration_id: receiver.integration.id, user_id: null });
  expect(await receiver.newest()).toMatchObject({
    result: 'started',
    task_id: null,
    workflow_run_id: run.id,
  });
  expect((await f.decisions(run))[0]).toBe('The integration "Push" started the run.');
  expect((await f.taskOf(run, 'build')).environment).toBe('{"branch":"canary-main"}');
  await f.end(run, 'build', 'success');
  expect((await f.taskOf(run, 'deploy')).environment).toBe('{"branch":"canary-main"}');
  // The values may answer secrets of a survey, so they are sealed.
  const { extracted } = await app.ctx.db
    .selectFrom('workflow_runs')
    .select('extracted')
    .executeTakeFirstOrThrow();
  expect(extracted).not.toContain('canary');
});

test('a run that is run again, and one inside of it, keep the values', async () => {
  const { app, f, runs } = await start();
  const inner = await f.add([await f.node('x')], '', 'Inner');
  const nested = { type: 'workflow' as const, key: 'n', name: 'n', workflow_id: inner.id };
  const outer = await f.add([nested], '', 'Outer');
  const receiver = await makeReceiver(app.admin, f.params.project_id, { workflow_id: outer.id });
  await receiver.extract({ key: 'ref', variable: 'branch' });
  await receiver.send({ body: { ref: 'main' } });
  const [child, run] = await runs();
  if (!run || !child) throw new Error('there are not two runs');
  expect((await f.taskOf(child, 'x')).environment).toBe('{"branch":"main"}');
  await f.end(child, 'x', 'error');
  expect(await f.shown(run)).toBe('n- error');
  await app.admin.call(workflowRuns.runAgain, { params: { ...f.params, run_id: run.id } });
  const [newest] = await runs();
  if (!newest) throw new Error('there is no run');
  expect(newest).toMatchObject({ integration_id: null, parent_run_id: expect.any(Number) });
  expect((await f.taskOf(newest, 'x')).environment).toBe('{"branch":"main"}');
});

test('a repeated request starts nothing, and a replay one more run', async () => {
  const { app, receiver, runs } = await start();
  const headers = { 'x-github-delivery': 'one' };
  await receiver.send({ body: { ref: 'main' }, headers });
  await receiver.send({ body: { ref: 'main' }, headers });
  const [second, first] = await receiver.deliveries();
  expect([first?.result, second?.result]).toEqual(['started', 'duplicate']);
  expect(await runs()).toHaveLength(1);
  const params = { ...receiver.params, delivery_id: first?.id ?? 0 };
  const replayed = await app.admin.call(deliveries.replay, { params });
  const [run] = await runs();
  expect(replayed).toMatchObject({ result: 'started', workflow_run_id: run?.id });
  // It belongs to the person who asked for it.
  expect(run).toMatchObject({ integration_id: null, user_id: app.admin.userId });
  expect(await runs()).toHaveLength(2);
});

test('a request cannot choose the branch of a workflow', async () => {
  const { receiver, runs } = await start();
  await receiver.extract({ key: 'ref', variable_type: 'task', variable: 'git_branch' });
  await receiver.send({ body: { ref: 'main' } });
  expect(await receiver.newest()).toMatchObject({
    result: 'failed',
    reason: { code: 'delivery.branch_of_workflow' },
    workflow_run_id: null,
  });
  expect(await runs()).toEqual([]);
});

test('the sender is told the run, and a workflow in use is not deleted', async () => {
  const { app, f, workflow, receiver, runs } = await start();
  const answer = await receiver.send({ body: {}, headers: { accept: 'application/json' } });
  const [run] = await runs();
  expect(answer.json()).toMatchObject({ matched: [{ task_id: null, workflow_run_id: run?.id }] });
  await app.admin.call(workflowRuns.stop, { params: { ...f.params, run_id: run?.id ?? 0 } });
  const params = { ...f.params, workflow_id: workflow.id };
  const refs = await app.admin.call(workflows.refs, { params });
  expect(refs.integrations).toEqual([{ id: receiver.integration.id, name: 'Push' }]);
  const { body } = await app.admin.ask(workflows.remove, { params });
  expect(body.code).toBe('workflow.in_use');
  await app.admin.call(integrations.remove, { params: receiver.params });
  await app.admin.call(workflows.remove, { params });
});

test('clients from before workflows are shown integrations of templates only', async () => {
  const { app, f, receiver } = await start();
  const { integration: idle } = await makeReceiver(app.admin, f.params.project_id);
  const list = async (query: CallOf<typeof integrations.list>['query']) =>
    (await app.admin.call(integrations.list, { params: f.params, query })).map(({ id }) => id);
  expect(await list({})).toEqual([idle.id]);
  expect(await list({ starts: 'workflows' })).toEqual([receiver.integration.id]);
  expect(await list({ starts: 'all' })).toHaveLength(2);
});

test('what an integration starts is one thing at most, of its own project', async () => {
  const { app, f, workflow, receiver } = await start();
  const other = await flows(app);
  const foreign = await other.add([await other.node('x')]);
  const { id: template_id } = await f.seed.template();
  const refused = async (fields: object) => {
    const body = { name: 'New', workflow_id: workflow.id, ...fields };
    const answer = await app.admin.ask(integrations.create, { params: f.params, body });
    return answer.body.fields?.map(({ path, code }) => `${path} ${code}`);
  };
  expect(await refused({ template_id })).toEqual(['workflow_id field.one_target']);
  expect(await refused({ workflow_id: foreign.id })).toEqual(['workflow_id field.reference']);
  const options = { task_params: { limit: 'web' } };
  expect(await refused(options)).toEqual(['task_params field.no_launch_options']);
  await app.admin.call(integrations.update, {
    params: receiver.params,
    body: { name: 'Push', template_id, ...options },
  });
  const body = { name: 'Push', workflow_id: workflow.id };
  await app.admin.call(integrations.update, { params: receiver.params, body });
  expect(await app.admin.call(integrations.one, { params: receiver.params })).toMatchObject({
    template_id: null,
    workflow_id: workflow.id,
    task_params: null,
  });
});

test('the value of a request reaches the script of a node', async () => {
  const app = await testApp({ runner: true });
  const f = await flows(app, { 'run.sh': 'echo "given: $branch"\n' });
  const node = await f.node('build', {}, { app: 'bash', playbook: 'run.sh' });
  const workflow = await f.add([node]);
  const receiver = await makeReceiver(app.admin, f.params.project_id, { workflow_id: workflow.id });
  await receiver.extract({ key: 'ref', variable: 'branch' });
  await receiver.send({ body: { ref: 'topic-7' } });
  const [run] = await app.admin.call(workflowRuns.list, { params: f.params });
  if (!run) throw new Error('there is no run');
  const task = await untilFinished(app.admin, await f.taskOf(run, 'build'));
  expect(await logText(app.admin, task)).toContain('given: topic-7');
  await until(async () => (await f.shown(run)) === 'build+ success');
});
