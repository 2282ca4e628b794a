// What is refused when a workflow is saved, launched or deleted: always with the name of the node.

import { expect, test } from 'vitest';
import type { CallOf } from '#shared/api/endpoint.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { edgesOf, flows } from '../../../../../test/helpers/workflows.ts';

type Graph = CallOf<typeof workflows.create>['body']['graph'];
type Node = Graph['nodes'][number];

const wait = (key: string, fields: object = {}): Node =>
  ({ type: 'wait', key, name: key, seconds: 1, ...fields }) as Node;

const approval = (fields: object): Node =>
  ({ type: 'approval', key: 'ok', name: 'ok', question: '', ...fields }) as Node;

async function start() {
  const f = await flows(await testApp());
  const refusal = async (nodes: Node[], edges: string | Graph['edges'] = ''): Promise<string[]> => {
    const graph = { nodes, edges: typeof edges === 'string' ? edgesOf(edges) : edges };
    const body = { name: 'Wrong', graph };
    const { status, body: answer } = await f.app.admin.ask(workflows.create, {
      params: f.params,
      body,
    });
    expect(status).toBe(400);
    return (answer.fields ?? []).map(({ path, message }) => `${path}: ${message}`);
  };
  return { ...f, refusal };
}

test('a graph that cannot run is refused with what is wrong and where', async () => {
  const { refusal } = await start();
  expect(await refusal([])).toEqual([
    'graph.nodes: Add a node: a workflow without nodes does nothing',
  ]);
  expect(await refusal([wait('a'), wait('b'), wait('c')], 'a>b b>a b>c')).toEqual([
    'graph.nodes.0.key: These nodes wait for each other in a circle: a, b',
  ]);
  expect(await refusal([wait('a')], 'a>a')).toEqual([
    'graph.nodes.0.key: These nodes wait for each other in a circle: a',
  ]);
  expect(await refusal([wait('a')], 'a>b')).toEqual([
    'graph.edges.0.to: There is no node with the key "b"',
  ]);
  expect(await refusal([wait('a'), wait('b')], 'a>b a!b')).toEqual([
    'graph.edges.1: There are two edges from "a" to "b"',
  ]);
  expect(await refusal([wait('a'), wait('b', { name: 'A' }), wait('a')])).toEqual([
    'graph.nodes.1.name: Another node is also named "A"',
    'graph.nodes.2.key: Another node has the same key as "a"',
  ]);
  expect(await refusal([wait('a', { until: '10:00' }), wait('b', { seconds: null })])).toEqual([
    'graph.nodes.0.seconds: "a" needs either a number of seconds or a time of day',
    'graph.nodes.1.seconds: "b" needs either a number of seconds or a time of day',
  ]);
  expect(await refusal([wait('a', { time_zone: 'Mars' })])).toEqual([
    'graph.nodes.0.time_zone: "a" names a time zone that does not exist',
  ]);
});

test('an approval that nobody may give is refused', async () => {
  const { refusal, app, params } = await start();
  expect(await refusal([approval({})])).toEqual([
    'graph.nodes.0.roles: No one can approve "ok": choose a role or a user',
  ]);
  expect(await refusal([approval({ roles: ['manager'] })])).toHaveLength(1);
  const stranger = await app.user('stranger');
  expect(await refusal([approval({ user_ids: [stranger.userId] })])).toEqual([
    'graph.nodes.0.user_ids.0: "ok" names a user who is not a member of the project',
  ]);
  const fields = [
    { name: 'a', title: 'A' },
    { name: 'a', title: 'B' },
  ];
  await app.member(params.project_id, 'manager');
  expect(await refusal([approval({ roles: ['manager'], fields })])).toEqual([
    'graph.nodes.0.fields.1.name: Another variable has this name',
  ]);
});

test('a template that is missing or refuses its launch is refused', async () => {
  const f = await start();
  const { refusal } = f;
  const strict = await f.node('a', { params: { limit: 'web' } });
  expect(await refusal([strict])).toEqual([
    'graph.nodes.0.params: The template of "a" refuses this: The template does not allow changing "limit" for a run. Allow it in the template first.',
  ]);
  const survey = [{ name: 'version', title: 'Version', required: true }];
  const asking = await f.node('b', {}, { survey_vars: survey });
  expect(await refusal([asking])).toEqual([
    expect.stringMatching(
      /^graph\.nodes\.0\.params: The template of "b" refuses this: environment/,
    ),
  ]);
  const lost = { ...asking, template_id: 999_999 } as Node;
  expect(await refusal([lost])).toEqual([
    'graph.nodes.0.template_id: The template of "b" does not exist in this project',
  ]);
  const inputs = [{ name: 'version', node: 'w', output: 'x' }];
  expect(await refusal([{ ...asking, inputs } as Node, wait('w')])).toEqual([
    'graph.nodes.0.inputs.0.node: "b" uses "w", which does not come before it',
  ]);
  await f.add([{ ...asking, inputs } as Node, wait('w')], 'w>b');
});

test('a deploy names the node of its build', async () => {
  const f = await start();
  const build = await f.node('build', {}, { type: 'build', start_version: '1.0' });
  if (build.type !== 'template') throw new Error('no template');
  const ofBuild = { type: 'deploy' as const, build_template_id: build.template_id };
  const deploy = await f.node('deploy', {}, ofBuild);
  expect(await f.refusal([build, deploy], 'build>deploy')).toEqual([
    'graph.nodes.1.build_node: "deploy" is a deploy: choose the earlier node whose build it deploys',
  ]);
  const other = await f.node('other');
  expect(
    await f.refusal([other, { ...deploy, build_node: 'other' } as Node], 'other>deploy'),
  ).toEqual([expect.stringContaining('which does not run its build template')]);
  const good = await f.add([build, { ...deploy, build_node: 'build' } as Node], 'build>deploy');
  const run = await f.launch(good);
  await f.end(run, 'build', 'success');
  const task = await f.taskOf(run, 'deploy');
  expect(task.build_task_id).toBe((await f.taskOf(run, 'build')).id);
});

test('workflows that lead back to themselves are refused', async () => {
  const f = await start();
  const inner = await f.add([wait('a')], '', 'Inner');
  const nested = (id: number): Node =>
    ({ type: 'workflow', key: 'n', name: 'n', workflow_id: id }) as Node;
  const outer = await f.add([nested(inner.id)], '', 'Outer');
  expect(await f.refusal([nested(999_999)])).toEqual([
    'graph.nodes.0.workflow_id: The workflow of "n" does not exist in this project',
  ]);
  for (const id of [outer.id, inner.id]) {
    const { body } = await f.app.admin.ask(workflows.update, {
      params: { ...f.params, workflow_id: inner.id },
      body: { name: 'Inner', graph: { nodes: [nested(id)] } },
    });
    expect(body.fields).toMatchObject([{ code: 'workflow.nested_circle' }]);
  }
});

test('of two changes at once that lead into each other, one is refused', async () => {
  const f = await flows(await testApp());
  const of = { type: 'workflow' as const, key: 'sub', name: 'Sub' };
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = [await f.add([await f.node('a')]), await f.add([await f.node('b')])];
    const lead = ({ id, name }: typeof one, to: typeof one) =>
      f.app.admin.ask(workflows.update, {
        params: { ...f.params, workflow_id: id },
        body: { name, graph: { nodes: [{ ...of, workflow_id: to.id }] } },
      });
    const answers = await Promise.all([lead(one, other), lead(other, one)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.fields?.[0]?.code).toBe('workflow.nested_circle');
  }
});

test('what a workflow uses is not deleted, and a launch checks all of it again', async () => {
  const f = await start();
  const node = await f.node('a');
  if (node.type !== 'template') throw new Error('no template');
  const inner = await f.add([wait('w')], '', 'Inner');
  const nested = { type: 'workflow', key: 'n', name: 'n', workflow_id: inner.id } as Node;
  const workflow = await f.add([node, nested], '', 'Outer');
  const of = { params: { ...f.params, template_id: node.template_id } };
  const refused = await f.app.admin.ask(templates.remove, of);
  expect(refused.body).toMatchObject({ code: 'template.in_use', params: { workflows: 'Outer' } });
  const ofInner = { params: { ...f.params, workflow_id: inner.id } };
  expect((await f.app.admin.ask(workflows.remove, ofInner)).body.code).toBe('workflow.in_use');
  const survey = JSON.stringify([
    { name: 'v', title: 'V', type: '', required: true, values: null },
  ]);
  await f.app.ctx.db.updateTable('templates').set({ survey_vars: survey }).execute();
  const ofOuter = { params: { ...f.params, workflow_id: workflow.id } };
  const launched = await f.app.admin.ask(workflows.launch, { ...ofOuter, body: {} });
  expect(launched.body.fields).toMatchObject([
    { code: 'workflow.template_refuses', params: { node: 'a' } },
  ]);
  await f.app.ctx.db.updateTable('templates').set({ survey_vars: '[]' }).execute();
  const run = await f.launch(workflow);
  expect((await f.app.admin.ask(workflows.remove, ofOuter)).body).toMatchObject({
    code: 'workflow.unfinished_runs',
    params: { runs: `#${run.id}` },
  });
  await f.end(run, 'a', 'success');
  f.app.clock.advance(2000);
  await f.app.app.runLoop.runOnce();
  await f.app.admin.call(workflows.remove, ofOuter);
  await f.app.admin.call(workflows.remove, ofInner);
});

test('a list has the number and the first names of the nodes in place of the graph', async () => {
  const { add, app, params } = await start();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { id } = await add(names.map((key) => wait(key)));
  const [listed] = await app.admin.call(workflows.list, { params });
  expect(listed).toMatchObject({ id, node_count: 6, first_nodes: ['a', 'b', 'c', 'd', 'e'] });
  expect(listed).not.toHaveProperty('graph');
});

test('a workflow leaves a view that is deleted, and enters none that does not exist', async () => {
  const { add, app, params } = await start();
  const addView = (title: string) => app.admin.call(views.create, { params, body: { title } });
  const [web, data] = [await addView('Web'), await addView('Data')];
  const { name, graph, id } = await add([wait('a')]);
  const save = (view_id: number) =>
    app.admin.ask(workflows.update, {
      params: { ...params, workflow_id: id },
      body: { name, graph, view_id },
    });
  const viewOf = async () =>
    (await app.admin.call(workflows.one, { params: { ...params, workflow_id: id } })).view_id;
  expect((await save(web.id)).status).toBe(204);
  await app.admin.call(views.remove, { params: { ...params, view_id: data.id } });
  expect(await viewOf()).toBe(web.id);
  await app.admin.call(views.remove, { params: { ...params, view_id: web.id } });
  expect(await viewOf()).toBeNull();
  const refused = await save(web.id);
  expect([refused.status, refused.body.fields?.[0]?.path]).toEqual([400, 'view_id']);
});
