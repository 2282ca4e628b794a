import { Suspense } from 'react';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { isWithoutHosts } from '#shared/task-status.ts';
import type { NodeState } from '#shared/workflows/run-status.ts';
import type { WorkflowEdge } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { LazyDrawing } from '../drawing/lazy-drawing.ts';
import { useGraphView, type ViewAddress, ViewChoice } from '../drawing/view-choice.tsx';
import { shownState } from '../run-words.ts';
import { RunNodes, type RunNodesParts } from './run-nodes.tsx';

export interface RunGraphParts extends RunNodesParts {
  view: ViewAddress;
  onTask: (taskId: number) => void;
}

interface Props extends RunGraphParts {
  run: WorkflowRun;
  onRun: (runId: number) => void;
}

export function RunGraph(props: Props) {
  const view = useGraphView(props.view);
  return (
    <Section title={t('workflow.nodes')} actions={<ViewChoice address={props.view} />}>
      {view === 'graph' ? <Picture {...props} /> : <RunNodes {...props} />}
    </Section>
  );
}

function Picture({ run, onTask, onRun }: Props) {
  const states = new Map(run.nodes.map((one) => [one.key, one]));
  return (
    <Suspense fallback={<Skeleton />}>
      <LazyDrawing
        graph={run.graph}
        actionOf={({ key }) => {
          const { task_id: taskId = null, run_id: runId = null } = states.get(key) ?? {};
          if (taskId !== null) return () => onTask(taskId);
          return runId === null ? undefined : () => onRun(runId);
        }}
        happenedTo={(node) => {
          const one = states.get(node.key);
          return (
            one && {
              ...one,
              isDryRun: one.dry_run,
              isWithoutHosts: one.state === 'success' && isWithoutHosts(one),
              state: shownState(node, one.state),
            }
          );
        }}
        isTaken={({ from, to, when }) => {
          const [before, after] = [states.get(from)?.state, states.get(to)?.state];
          return hasHeld(before, when) && after !== 'idle' && after !== 'skipped';
        }}
      />
    </Suspense>
  );
}

const hasHeld = (state: NodeState | undefined, when: WorkflowEdge['when']): boolean =>
  when === 'always' ? state !== 'idle' && state !== 'active' : state === when;
