import { expect, test } from 'vitest';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import type { ListedWorkflow } from '#shared/api/workflows.ts';
import { renderAt, replyOf } from '../../../../../test/components/render.tsx';
import { RunDrawing } from './run-drawing.tsx';

const workflow = { id: 4, project_id: 1 } as ListedWorkflow;

const newest = replyOf(workflowRuns.newest, {
  runs: [
    {
      workflow_id: 4,
      run_id: 12,
      nodes: [
        { key: 'a', name: 'Build', state: 'success' },
        { key: 'b', name: 'Test', state: 'success' },
        { key: 'c', name: 'Deploy', state: 'failure' },
      ],
      edges: [
        { from: 'a', to: 'c' },
        { from: 'b', to: 'c' },
      ],
    },
  ],
});

test('the drawing leads to the run, and says its states in words', async () => {
  const view = await renderAt(<RunDrawing workflow={workflow} />, { replies: [newest] });
  const link = await view.findByRole('link', { name: 'Run #12: Success 2, Failed 1' });
  expect(link.getAttribute('href')).toBe('/project/1/workflow_runs/12');
  const states = [...link.querySelectorAll('[data-state]')].map((node) =>
    node.getAttribute('data-state'),
  );
  expect(states).toEqual(['success', 'success', 'failure']);
  expect(link.querySelectorAll('svg > path')).toHaveLength(2);
});

test('a workflow without a run has no drawing', async () => {
  const view = await renderAt(
    <div data-testid="cell">
      <RunDrawing workflow={{ ...workflow, id: 5 }} />
    </div>,
    { replies: [newest] },
  );
  expect((await view.findByTestId('cell')).textContent).toBe('');
});
