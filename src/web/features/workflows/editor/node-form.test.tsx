import { waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { members } from '#shared/api/members.ts';
import { type Template, templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import { type WorkflowGraph, workflowGraph } from '#shared/workflows/graph.ts';
import { renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { aTemplate, aWorkflow } from '../../../../../test/components/samples.ts';
import { NodeForm } from './node-form.tsx';

/** Three nodes in a row, the last of which is edited. */
const graphOf = (node: object, edges: object[] = [{ from: 'build', to: 'edited' }]) =>
  workflowGraph.parse({
    nodes: [
      { key: 'check', name: 'Check', type: 'wait', seconds: 5, until: null },
      { key: 'build', name: 'Build', type: 'template', template_id: 2 },
      { key: 'edited', name: 'Edited', ...node },
    ],
    edges,
  });

async function openNode(graph: WorkflowGraph, listed: Template[] = [aTemplate]) {
  const onGraph = vi.fn<(changed: WorkflowGraph) => void>();
  function EditedNode() {
    const [now, setNow] = useState(graph);
    const node = now.nodes.find(({ key }) => key === 'edited');
    if (!node) throw new Error('The edited node is missing');
    return (
      <NodeForm
        projectId={1}
        workflowId={1}
        graph={now}
        onGraph={(changed) => {
          setNow(changed);
          onGraph(changed);
        }}
        node={node}
        errors={[]}
        renderZone={() => <input aria-label={zone} />}
        renderSurvey={() => null}
      />
    );
  }
  const view = await renderAt(<EditedNode />, {
    replies: [
      replyOf(templates.list, listed),
      replyOf(inventories.list, []),
      replyOf(members.list, []),
      replyOf(workflows.list, [aWorkflow, { ...aWorkflow, id: 2, name: 'Roll back' }]),
    ],
  });
  await view.field('Name');
  const latest = () => onGraph.mock.lastCall?.[0] ?? graph;
  const edited = () => latest().nodes.find(({ key }) => key === 'edited');
  return { ...view, edited, edges: () => latest().edges };
}

/** The label of the input that schedules own. */
const zone = 'Time zone';

const begin = ['After', 'Condition'];

test('a node waits for a time, or until a time of day in a zone', async () => {
  const { choose, edited, labels, queryByLabelText } = await openNode(
    graphOf({ type: 'wait', seconds: 90, until: null }),
  );
  expect(labels()).toEqual(['Name *', 'Wait', 'Seconds *', ...begin]);
  expect(queryByLabelText(zone)).toBeNull();
  await choose('Wait', 'Until a time of day');
  expect(labels()).toEqual(['Name *', 'Wait', 'Time of day *', ...begin]);
  expect(queryByLabelText(zone)).toBeTruthy();
  expect(edited()).toMatchObject({ seconds: null, until: '22:00' });
  await choose('Wait', 'For a duration');
  expect(edited()).toMatchObject({ seconds: 60, until: null, time_zone: '' });
});

test('what becomes of an approval is asked once it is decided by itself', async () => {
  const { choose, edited, fill, labels } = await openNode(
    graphOf({ type: 'approval', question: 'Go on?', timeout_s: null }),
  );
  const timeout = 'Decide automatically after (seconds)';
  expect(labels()).toContain(timeout);
  expect(labels()).not.toContain('Automatic decision');
  await fill(timeout, '600');
  await choose('Automatic decision', 'Approved');
  expect(edited()).toMatchObject({ timeout_s: 600, on_timeout: 'approve' });
});

test('the roles of an approval keep their order, whichever was ticked first', async () => {
  const { edited, tick } = await openNode(graphOf({ type: 'approval', question: '', roles: [] }));
  await tick('Manager');
  await tick('Owner');
  await tick('The person who started the run cannot decide');
  expect(edited()).toMatchObject({ roles: ['owner', 'manager'], not_launcher: true });
});

test('a workflow cannot contain itself', async () => {
  const { choose, edited, options } = await openNode(graphOf({ type: 'workflow', workflow_id: 2 }));
  await waitFor(async () => expect(await options('Workflow')).toEqual(['Roll back']));
  await choose('Workflow', 'Roll back');
  expect(edited()).toMatchObject({ workflow_id: 2 });
});

const launchOptions = ['Message', 'Dry run', 'Diff'];

test.each([
  { change: { allow_debug_in_task: false }, shown: launchOptions },
  {
    change: { allow_debug_in_task: true },
    shown: ['Message', 'Debug', 'Dry run', 'Diff', 'Debug verbosity'],
  },
  {
    change: { allow_debug_in_task: false, allow_override_limit_in_task: true },
    shown: ['Message', 'Limit', 'Dry run', 'Diff'],
  },
  {
    change: { allow_debug_in_task: false, app: 'bash', allow_override_limit_in_task: true },
    shown: ['Message'],
  },
])('a node sets what its template opens: $change', async ({ change, shown }) => {
  const { findByLabelText, labels } = await openNode(
    graphOf({ type: 'template', template_id: 1 }),
    [{ ...aTemplate, ...change }],
  );
  await findByLabelText('Message');
  expect(labels()).toEqual(['Name *', 'Template *', ...shown, ...begin]);
});

test('an option that is set stays although the template does not open it', async () => {
  const { field } = await openNode(
    graphOf({ type: 'template', template_id: 1, params: { limit: 'web*' } }),
  );
  expect((await field('Limit')).value).toBe('web*');
});

test('a deploy takes the build of an earlier node that runs a template', async () => {
  const { choose, edited, labels, options } = await openNode(
    graphOf({ type: 'template', template_id: 1 }, [
      { from: 'check', to: 'build' },
      { from: 'build', to: 'edited' },
    ]),
    [{ ...aTemplate, type: 'deploy' }],
  );
  expect(await options('Node with the build to deploy')).toEqual(['Build']);
  await choose('Node with the build to deploy', 'Build');
  expect(edited()).toMatchObject({ build_node: 'build' });
  expect(labels()).toContain('Node with the build to deploy *');
});

test('a new template renames a node that has the name of the template before', async () => {
  const { choose, edited } = await openNode(
    graphOf({ type: 'template', template_id: 1, name: 'Deploy' }),
    [aTemplate, { ...aTemplate, id: 2, name: 'Clean up' }],
  );
  await choose('Template', 'Clean up');
  expect(edited()).toMatchObject({ template_id: 2, name: 'Clean up' });
});

test('a name that somebody has typed stays when the template changes', async () => {
  const { choose, edited } = await openNode(graphOf({ type: 'template', template_id: 1 }), [
    aTemplate,
    { ...aTemplate, id: 2, name: 'Clean up' },
  ]);
  await choose('Template', 'Clean up');
  expect(edited()).toMatchObject({ template_id: 2, name: 'Edited' });
});

test('how nodes are joined is asked only behind several', async () => {
  const wait = { type: 'wait', seconds: 5, until: null };
  const { choose, edges, edited, labels, press, queryByRole } = await openNode(graphOf(wait, []));
  expect(labels()).toEqual(['Name *', 'Wait', 'Seconds *']);
  await press('Add a preceding node');
  expect(labels()).not.toContain('After several nodes');
  await press('Add a preceding node');
  await choose('After several nodes', 'As soon as one condition is met');
  expect(edited()).toMatchObject({ join: 'any' });
  expect(edges()).toEqual([
    { from: 'check', to: 'edited', when: 'success' },
    { from: 'build', to: 'edited', when: 'success' },
  ]);
  expect(queryByRole('button', { name: 'Add a preceding node' })).toBeNull();
  await press('Do not start after Check');
  expect(labels()).not.toContain('After several nodes');
});
