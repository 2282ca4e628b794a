// Runs of workflows, with tasks that the test ends as a runner would.

import { expect, test } from 'vitest';
import type { CallOf } from '#shared/api/endpoint.ts';
import { tasks } from '#shared/api/tasks.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { flows } from '../../../../../test/helpers/workflows.ts';
import { endTask } from '../../tasks/move-task.ts';

const start = async () => flows(await testApp());

test('a run begins nodes as the ones before them end, and says why', async () => {
  const f = await start();
  const nodes = [
    await f.node('build'),
    await f.node('test'),
    await f.node('deploy'),
    await f.node('undo'),
    await f.node('tell'),
  ];
  const workflow = await f.add(nodes, 'build>test test>deploy deploy!undo deploy*tell');
  const run = await f.launch(workflow);
  expect(run).toMatchObject({
    status: 'running',
    name: 'Workflow 6',
    user_id: f.app.admin.userId,
  });
  expect(await f.shown(run)).toBe('build~ test. deploy. undo. tell. running');
  await f.end(run, 'build', 'success');
  await f.end(run, 'test', 'success');
  expect(await f.shown(run)).toBe('build+ test+ deploy~ undo. tell. running');
  await f.end(run, 'deploy', 'error');
  expect(await f.shown(run)).toBe('build+ test+ deploy- undo~ tell~ running');
  expect(await f.taskOf(run, 'undo')).toMatchObject({
    workflow_run_id: run.id,
    user_id: f.app.admin.userId,
    launcher: { kind: 'workflow', id: run.id, name: 'Workflow 6' },
  });
  expect(run.launcher).toBeNull();
  await f.end(run, 'undo', 'success');
  await f.end(run, 'tell', 'success');
  expect(await f.shown(run)).toBe('build+ test+ deploy- undo+ tell+ success');
  expect(await f.decisions(run)).toEqual([
    'root started the run.',
    '"build" started.',
    '"build" succeeded.',
    '"test" started because "build" succeeded.',
    '"test" succeeded.',
    '"deploy" started because "test" succeeded.',
    '"deploy" failed.',
    '"undo" started because "deploy" failed.',
    '"tell" started because "deploy" failed.',
    '"undo" succeeded.',
    '"tell" succeeded.',
    'The run succeeded.',
  ]);
  const [listed] = await f.app.admin.call(workflows.list, { params: f.params });
  expect(listed?.last_run).toMatchObject({ id: run.id, status: 'success' });
});

test('a failure that nothing foresees fails the run, and what follows is skipped', async () => {
  const f = await start();
  const workflow = await f.add([await f.node('a'), await f.node('b')], 'a>b');
  const run = await f.launch(workflow);
  await f.end(run, 'a', 'error');
  expect(await f.shown(run)).toBe('a- bx error');
  const all = await f.app.admin.call(tasks.list, { params: f.params });
  expect(all).toHaveLength(1);
});

test('runs are listed by workflow, by status, and those that go on', async () => {
  const f = await start();
  const one = await f.add([await f.node('a')]);
  const other = await f.add([await f.node('b')]);
  const [failed, done, open] = [await f.launch(one), await f.launch(one), await f.launch(other)];
  await f.end(failed, 'a', 'error');
  await f.end(done, 'a', 'success');
  const list = async (query: CallOf<typeof workflowRuns.list>['query']) =>
    (await f.app.admin.call(workflowRuns.list, { params: f.params, query })).map(({ id }) => id);
  expect(await list({})).toEqual([open.id, done.id, failed.id]);
  expect(await list({ workflow_id: one.id })).toEqual([done.id, failed.id]);
  expect(await list({ status: 'error' })).toEqual([failed.id]);
  expect(await list({ status: 'success', workflow_id: other.id })).toEqual([]);
  expect(await list({ state: 'unfinished' })).toEqual([open.id]);
  expect(await list({ limit: 1, before: open.id })).toEqual([done.id]);
});

test('a task that is tried again ends its node with its last attempt', async () => {
  const f = await start();
  const one = await f.node('a', {}, { retries: 1, retry_delay_s: 1 });
  const run = await f.launch(await f.add([one, await f.node('b')], 'a>b'));
  const first = await f.taskOf(run, 'a');
  await f.end(run, 'a', 'error');
  expect(await f.shown(run)).toBe('a~ b. running');
  const second = await f.taskOf(run, 'a');
  expect(second).toMatchObject({ retry_of: first.id, workflow_run_id: run.id });
  // The first attempt has nothing to say any more.
  await endTask(f.app.ctx, first, 'error');
  await f.end(run, 'a', 'success');
  expect(await f.shown(run)).toBe('a+ b~ running');
});

test('stopping ends tasks, waits and nested runs, and begins nothing more', async () => {
  const f = await start();
  const inner = await f.add([await f.node('x')], '', 'Inner');
  const nodes = [
    await f.node('a'),
    await f.node('b'),
    { type: 'wait' as const, key: 'w', name: 'w', seconds: 3600 },
    { type: 'workflow' as const, key: 'n', name: 'n', workflow_id: inner.id },
  ];
  const run = await f.launch(await f.add(nodes, 'a*b'));
  expect(await f.shown(run)).toBe('a~ b. w~ n~ running');
  const nested = (await f.read(run)).nodes.find(({ key }) => key === 'n')?.run_id ?? 0;
  const task = await f.taskOf(run, 'a');
  await f.app.admin.call(workflowRuns.stop, {
    params: { ...f.params, run_id: run.id },
    body: {},
  });
  expect(await f.shown(run)).toBe('a- bx w- n- stopped');
  expect(await f.shown({ id: nested })).toBe('x- stopped');
  const of = { ...f.params, task_id: task.id };
  expect(await f.app.admin.call(tasks.one, { params: of })).toMatchObject({ status: 'stopped' });
  expect((await f.decisions({ id: nested })).slice(-3)).toEqual([
    `Run #${run.id} stopped this run.`,
    '"x" failed.',
    'The run was stopped.',
  ]);
});

test('a nested workflow is a run of its own, whose end is the end of its node', async () => {
  const f = await start();
  const inner = await f.add([await f.node('x')], '', 'Inner');
  const nested = { type: 'workflow' as const, key: 'n', name: 'n', workflow_id: inner.id };
  const run = await f.launch(await f.add([nested, await f.node('b')], 'n!b'));
  const id = (await f.read(run)).nodes.find(({ key }) => key === 'n')?.run_id ?? 0;
  expect(await f.read({ id })).toMatchObject({ parent_run_id: run.id, name: 'Inner' });
  await f.end({ id }, 'x', 'error');
  expect(await f.shown({ id })).toBe('x- error');
  expect(await f.shown(run)).toBe('n- b~ running');
});

test('a run goes on again from where it failed, and keeps what succeeded', async () => {
  const f = await start();
  const nodes = [await f.node('a'), await f.node('b'), await f.node('c')];
  const run = await f.launch(await f.add(nodes, 'a>b b>c'));
  await f.end(run, 'a', 'success');
  const of = { params: { ...f.params, run_id: run.id }, body: {} };
  expect((await f.app.admin.ask(workflowRuns.runAgain, of)).body.code).toBe(
    'workflow_run.unfinished',
  );
  await f.end(run, 'b', 'error');
  expect(await f.shown(run)).toBe('a+ b- cx error');
  const again = await f.app.admin.call(workflowRuns.runAgain, of);
  expect(again).toMatchObject({ rerun_of: run.id });
  expect(await f.shown(again)).toBe('a+ b~ c. running');
  expect(again.nodes.map(({ is_kept: isKept }) => isKept)).toEqual([true, false, false]);
  expect((await f.taskOf(again, 'a')).id).toBe((await f.taskOf(run, 'a')).id);
  await f.end(again, 'b', 'success');
  await f.end(again, 'c', 'success');
  expect(await f.shown(again)).toBe('a+ b+ c+ success');
  const none = { params: { ...f.params, run_id: again.id }, body: {} };
  expect((await f.app.admin.ask(workflowRuns.runAgain, none)).body.code).toBe(
    'workflow_run.nothing_failed',
  );
  const chosen = await f.app.admin.call(workflowRuns.runAgain, {
    ...none,
    body: { nodes: ['c'] },
  });
  expect(await f.shown(chosen)).toBe('a+ b+ c~ running');
});

test('waits end at their time, on whatever server looks first', async () => {
  const f = await start();
  f.app.clock.set('2026-05-01T10:00:00Z');
  const nodes = [
    { type: 'wait' as const, key: 'w', name: 'w', seconds: 90 },
    { type: 'wait' as const, key: 'u', name: 'u', until: '12:30', time_zone: 'Europe/Berlin' },
  ];
  const run = await f.launch(await f.add(nodes));
  const ends = (await f.read(run)).nodes.map(({ until }) => until);
  expect(ends).toEqual([expect.stringMatching(/T10:01:3\d/), '2026-05-01T10:30:00.000Z']);
  f.app.clock.set('2026-05-01T10:01:29Z');
  await f.app.app.runLoop.runOnce();
  expect(await f.shown(run)).toBe('w~ u~ running');
  f.app.clock.set('2026-05-01T10:01:40Z');
  await Promise.all([f.app.app.runLoop.runOnce(), f.app.app.runLoop.runOnce()]);
  expect(await f.shown(run)).toBe('w+ u~ running');
  f.app.clock.set('2026-05-01T10:31:00Z');
  await f.app.app.runLoop.runOnce();
  expect(await f.shown(run)).toBe('w+ u+ success');
});

test('a task that ended without telling its run is noticed', async () => {
  const f = await start();
  const run = await f.launch(await f.add([await f.node('a'), await f.node('b')], 'a>b'));
  const { id } = await f.taskOf(run, 'a');
  // As a server of the version before does.
  await f.app.ctx.db
    .updateTable('tasks')
    .set({ status: 'success', end: '2026-05-01T10:00:00.000Z' })
    .where('id', '=', id)
    .execute();
  await f.app.app.runLoop.runOnce();
  expect(await f.shown(run)).toBe('a+ b~ running');
});

test('a node that cannot begin fails with the reason, and the run goes on', async () => {
  const f = await start();
  const nodes = [await f.node('a'), await f.node('b'), await f.node('c')];
  const run = await f.launch(await f.add(nodes, 'a>b b!c'));
  const survey = [{ name: 'version', title: 'Version', required: true }];
  const [, second] = nodes;
  if (second?.type !== 'template') throw new Error('There is no second template');
  const { db } = f.app.ctx;
  await db
    .updateTable('templates')
    .set({ survey_vars: JSON.stringify(survey.map((one) => ({ ...one, type: '' }))) })
    .where('id', '=', second.template_id)
    .execute();
  await f.end(run, 'a', 'success');
  expect(await f.shown(run)).toBe('a+ b- c~ running');
  const failed = (await f.read(run)).nodes.find(({ key }) => key === 'b');
  expect(failed?.reason?.text).toMatch(/^The node "b" could not start: environment\.version: /);
  expect(await db.selectFrom('tasks').select('id').execute()).toHaveLength(2);
});
