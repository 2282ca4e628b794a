// Approvals: who may give them, what is asked with them, and what later nodes get of it.

import { expect, test } from 'vitest';
import { overview } from '#shared/api/overview.ts';
import { schedules } from '#shared/api/schedules.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { makeReceiver } from '../../../../../test/helpers/integrations.ts';
import { flows, type Flows } from '../../../../../test/helpers/workflows.ts';
import { claimNext, presentRunner } from '../../../../../test/helpers/tasks.ts';
import { openAnswers } from '../../tasks/runs/runner-tasks.ts';
import { recordOutputs } from '../../tasks/runs/record-outputs.ts';
import { endTask, moveTask } from '../../tasks/move-task.ts';

type Node = Awaited<ReturnType<Flows['node']>>;

const approval = (fields: object = {}): Node =>
  ({
    type: 'approval',
    key: 'ok',
    name: 'Release?',
    question: 'Is staging good?',
    roles: ['manager'],
    ...fields,
  }) as Node;

const decision = (f: Flows, run: { id: number }, body: object, node = 'ok') => ({
  params: { ...f.params, run_id: run.id, node },
  body: { approve: true, ...body },
});

/** The code of a refusal; "done" if there was none. */
const codeOf = ({ body }: { body: unknown }): string =>
  (body as { code?: string } | undefined)?.code ?? 'done';

test('only whom the approval names may decide it, and not who started the run', async () => {
  const f = await flows(await testApp());
  const { app, params } = f;
  const manager = await app.member(params.project_id, 'manager');
  const guest = await app.member(params.project_id, 'guest');
  const named = await app.member(params.project_id, 'guest');
  const node = approval({ user_ids: [named.userId, app.admin.userId], not_launcher: true });
  const run = await f.launch(await f.add([node, await f.node('b')], 'ok>b'));
  expect(run.waits_for).toEqual(['Release?']);
  const waiting = async (caller: typeof guest) =>
    (await caller.call(overview.approvals, {})).map((one) => [one.run_id, one.node]);
  const everybody = [manager, named, guest, app.admin];
  const own = [[run.id, 'ok']];
  expect(await Promise.all(everybody.map(waiting))).toEqual([own, own, [], []]);
  const [shown] = await manager.call(overview.approvals, {});
  const { project_id } = params;
  expect(await manager.call(overview.approvals, { query: { project_id } })).toEqual([shown]);
  const other = { project_id: project_id + 1 };
  expect(await manager.call(overview.approvals, { query: other })).toEqual([]);
  expect(shown).toMatchObject({ next: ['b'], created: run.created, user_name: run.user_name });
  const ask = async (caller: typeof guest, body = {}, key = 'ok') =>
    codeOf(await caller.ask(workflowRuns.decide, decision(f, run, body, key)));
  expect(await ask(guest)).toBe('workflow_run.not_approver');
  expect(await ask(app.admin)).toBe('workflow_run.own_run');
  expect(await ask(manager, {}, 'b')).toBe('workflow_run.not_waiting');
  expect(await ask(manager, {}, 'x')).toBe('workflow_run.node_unknown');
  expect(await f.shown(run)).toBe('ok~ b. running');
  const both = await Promise.all([ask(named, { comment: 'Looks good' }), ask(manager)]);
  expect(both.toSorted()).toEqual(['done', 'workflow_run.not_waiting']);
  expect(await waiting(named)).toEqual([]);
  expect(await f.shown(run)).toBe('ok+ b~ running');
  expect(await f.decisions(run)).toHaveLength(5);
});

test('a rejection says who and why, and takes the failure edge', async () => {
  const f = await flows(await testApp());
  const manager = await f.app.member(f.params.project_id, 'manager');
  const nodes = [approval(), await f.node('yes'), await f.node('no')];
  const run = await f.launch(await f.add(nodes, 'ok>yes ok!no'));
  const body = { approve: false, comment: 'Not on a Friday', answers: '{"version":"1"}' };
  await manager.call(workflowRuns.decide, decision(f, run, body));
  expect(await f.shown(run)).toBe('ok- yesx no~ running');
  const { nodes: seen } = await f.read(run);
  expect(seen[0]).toMatchObject({ answers: {}, reason: { code: 'reason.rejected' } });
  const said = (await f.decisions(run)).find((text) => text.includes('Friday'));
  expect(said).toMatch(/^\S+ rejected "Release\?": Not on a Friday$/);
});

test('an approval that nobody decides in time decides itself', async () => {
  const f = await flows(await testApp());
  await f.app.member(f.params.project_id, 'manager');
  const yes = { timeout_s: 60, on_timeout: 'approve' as const, key: 'y', name: 'y' };
  const run = await f.launch(await f.add([approval({ timeout_s: 60 }), approval(yes)]));
  f.app.clock.advance(61_000);
  await f.app.app.runLoop.runOnce();
  expect(await f.shown(run)).toBe('ok- y+ error');
  expect((await f.read(run)).nodes[0]?.reason?.text).toBe('No one decided "Release?" in time.');
});

test('answers and outputs become variables of later nodes, secret ones sealed', async () => {
  const f = await flows(await testApp());
  await presentRunner(f.app.ctx);
  const manager = await f.app.member(f.params.project_id, 'manager');
  const fields = [
    { name: 'version', title: 'Version', required: true },
    { name: 'word', title: 'Word', type: 'secret' as const },
  ];
  const survey = [
    { name: 'release', title: 'Release', required: true },
    { name: 'token', title: 'Token', type: 'secret' as const },
    { name: 'count', title: 'Count', type: 'int' as const },
  ];
  const inputs = [
    { name: 'release', node: 'ok', output: 'version' },
    { name: 'token', node: 'ok', output: 'word' },
    { name: 'count', node: 'build', output: 'hosts' },
    { name: 'hidden', node: 'build', output: 'key' },
    { name: 'list', node: 'build', output: 'names' },
  ];
  const nodes = [
    await f.node('build'),
    approval({ fields }),
    await f.node('deploy', { inputs }, { survey_vars: survey }),
  ];
  const run = await f.launch(await f.add(nodes, 'build>deploy ok>deploy'));
  const build = await claimNext(f.app.ctx);
  if (!build) throw new Error('There is nothing to claim');
  await moveTask(f.app.ctx, build, 'running');
  await recordOutputs(f.app.ctx, build, [
    { name: 'hosts', value: 3, secret: null },
    { name: 'names', value: ['a', 'b'], secret: null },
    { name: 'key', value: null, secret: '"canary-4712"' },
  ]);
  await endTask(f.app.ctx, build, 'success');
  const given = { answers: '{"version":"1.2"}', secret: '{"word":"canary-4713"}' };
  const missing = await manager.ask(workflowRuns.decide, decision(f, run, { answers: '{}' }));
  expect(missing.body.fields).toMatchObject([{ path: 'environment.version' }]);
  await manager.call(workflowRuns.decide, decision(f, run, given));
  expect(await f.shown(run)).toBe('build+ ok+ deploy~ running');
  const deploy = await f.taskOf(run, 'deploy');
  const plain = JSON.parse(deploy.environment) as object;
  expect(plain).toEqual({ release: '1.2', count: 3, list: ['a', 'b'] });
  expect(await openAnswers(f.app.ctx, deploy)).toEqual({
    token: 'canary-4713',
    hidden: 'canary-4712',
  });
  const { rows } = {
    rows: await f.app.ctx.db.selectFrom('workflow_nodes').selectAll().execute(),
  };
  expect(JSON.stringify(rows)).not.toContain('canary');
  // A run that goes on from there asks again.
  await f.end(run, 'deploy', 'error');
  const of = { params: { ...f.params, run_id: run.id }, body: {} };
  const again = await f.app.admin.call(workflowRuns.runAgain, of);
  expect(await f.shown(again)).toBe('build+ ok~ deploy. running');
  const other = { answers: '{"version":"1.3"}', secret: '{"word":"canary-4714"}' };
  await manager.call(workflowRuns.decide, decision(f, again, other));
  const next = await f.taskOf(again, 'deploy');
  expect((await openAnswers(f.app.ctx, next))['token']).toBe('canary-4714');
});

test('an approval counts for one execution of what stands behind it', async () => {
  const f = await flows(await testApp());
  const { app, params } = f;
  const manager = await app.member(params.project_id, 'manager');
  const runner = await app.member(params.project_id, 'task_runner');
  const nodes = [
    await f.node('build'),
    approval({ roles: ['manager', 'task_runner'] }),
    await f.node('prepare'),
    await f.node('deploy'),
    await f.node('side'),
  ];
  const workflow = await f.add(nodes, 'build>ok ok>prepare prepare>deploy ok>side');
  const run = await f.launch(workflow);
  await f.end(run, 'build', 'success');
  await manager.call(workflowRuns.decide, decision(f, run, {}));
  for (const name of ['prepare', 'side', 'deploy']) await f.end(run, name, 'success');
  const of = { params: { ...params, run_id: run.id }, body: { nodes: ['deploy'] } };
  const again = await runner.call(workflowRuns.runAgain, of);
  // Also what lies between is run again, and nothing beside it.
  expect(await f.shown(again)).toBe('build+ ok~ prepare. deploy. side+ running');
  // By the rules of today.
  await app.admin.call(workflows.update, {
    params: { ...params, workflow_id: workflow.id },
    body: {
      name: workflow.name,
      graph: {
        ...workflow.graph,
        nodes: workflow.graph.nodes.map((node) =>
          node.type === 'approval' ? { ...node, not_launcher: true } : node,
        ),
      },
    },
  });
  const strict = await runner.call(workflowRuns.runAgain, of);
  const refused = await runner.ask(workflowRuns.decide, decision(f, strict, {}));
  expect(codeOf(refused)).toBe('workflow_run.own_run');
  await manager.call(workflowRuns.decide, decision(f, strict, {}));
  expect(await f.shown(strict)).toBe('build+ ok+ prepare~ deploy. side+ running');
});

test('who set up what launches a run decides it no more than who launches one', async () => {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const f = await flows(app);
  const { params } = f;
  const [first, other] = [
    await app.member(params.project_id, 'manager'),
    await app.member(params.project_id, 'manager'),
  ];
  const inner = await f.add([approval({ not_launcher: true })], '', 'Inner');
  const nested = { type: 'workflow' as const, key: 'n', name: 'n', workflow_id: inner.id };
  const outer = await f.add([nested], '', 'Outer');
  const waiting = async () => {
    const all = await app.admin.call(workflowRuns.list, { params });
    const run = all.find(({ waits_for: approvals }) => approvals.length > 0);
    if (!run) throw new Error('No run waits.');
    return run;
  };
  const check = async (refused: typeof first, allowed: typeof first) => {
    const run = await waiting();
    const asked = decision(f, run, {});
    expect(codeOf(await refused.ask(workflowRuns.decide, asked))).toBe('workflow_run.own_run');
    expect(codeOf(await allowed.ask(workflowRuns.decide, asked))).toBe('done');
  };
  const timing = { cron_format: '* * * * *', time_zone: 'UTC', active: true };
  const body = { ...timing, name: 'Nightly', workflow_id: outer.id };
  const schedule = await first.call(schedules.create, { params, body });
  app.clock.set('2026-05-01T10:01:01Z');
  await app.app.scheduler.runOnce();
  await check(first, other);
  const of = { params: { ...params, schedule_id: schedule.id } };
  await other.call(schedules.update, { ...of, body: { ...body, name: 'Daily' } });
  app.clock.set('2026-05-01T10:02:01Z');
  await app.app.scheduler.runOnce();
  await check(other, first);
  await first.call(schedules.remove, of);
  const receiver = await makeReceiver(other, params.project_id, { workflow_id: outer.id });
  await receiver.send({ body: {} });
  await check(other, first);
});

test('a run from before an approval was added cannot go on without it', async () => {
  const f = await flows(await testApp());
  const nodes = [await f.node('build'), await f.node('deploy')];
  const workflow = await f.add(nodes, 'build>deploy');
  const run = await f.launch(workflow);
  await f.end(run, 'build', 'success');
  await f.end(run, 'deploy', 'success');
  const edges = [
    { from: 'build', to: 'ok', when: 'success' as const },
    { from: 'ok', to: 'deploy', when: 'success' as const },
  ];
  await f.app.admin.call(workflows.update, {
    params: { ...f.params, workflow_id: workflow.id },
    body: {
      name: workflow.name,
      graph: { nodes: [...nodes, approval({ roles: ['owner'] })], edges },
    },
  });
  const again = (name: string) => ({
    params: { ...f.params, run_id: run.id },
    body: { nodes: [name] },
  });
  for (const name of ['deploy', 'build']) {
    const { body } = await f.app.admin.ask(workflowRuns.runAgain, again(name));
    expect(body.code).toBe('workflow_run.approval_added');
  }
});

test('a node whose input is missing fails with a sentence, without a task', async () => {
  const f = await flows(await testApp());
  const inputs = [{ name: 'list', node: 'build', output: 'names' }];
  const any = { allow_any_variable_in_task: true };
  const nodes = [await f.node('build'), await f.node('deploy', { inputs }, any)];
  const run = await f.launch(await f.add(nodes, 'build>deploy'));
  await f.end(run, 'build', 'success');
  expect(await f.shown(run)).toBe('build+ deploy- error');
  expect((await f.read(run)).nodes[1]?.reason?.text).toBe(
    'The node "deploy" needs the output names, which "build" did not set.',
  );
});

test('an approval fails when nobody is left who may give it', async () => {
  const f = await flows(await testApp());
  const manager = await f.app.member(f.params.project_id, 'manager');
  const run = await f.launch(await f.add([await f.node('a'), approval()], 'a>ok'));
  await f.app.ctx.db.deleteFrom('members').where('user_id', '=', manager.userId).execute();
  await f.end(run, 'a', 'success');
  expect(await f.shown(run)).toBe('a+ ok- error');
  expect((await f.read(run)).nodes[1]?.reason?.code).toBe('reason.nobody_approves');
});
