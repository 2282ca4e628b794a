import { type ReactNode, Suspense } from 'react';
import { IconRefresh } from '@tabler/icons-react';
import type { RunNode, WorkflowRun } from '#shared/api/workflow-runs.ts';
import { isWithoutHosts } from '#shared/task-status.ts';
import { isRunFinished, type NodeState } from '#shared/workflows/run-status.ts';
import type { WorkflowEdge, WorkflowNode } from '#shared/workflows/graph.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { exactTime } from '../../../lib/time.ts';
import { Duration } from '../../../lib/time-text.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { DryRunBadge } from '../../../ui/feedback/dry-run-badge.tsx';
import { NoHostsBadge } from '../../../ui/feedback/no-hosts-badge.tsx';
import {
  LazyDrawing,
  useGraphView,
  type ViewAddress,
  ViewChoice,
} from '../drawing/view-choice.tsx';
import { reasonWords, shownState } from '../run-words.ts';
import { NodeOutline } from '../node-outline.tsx';
import { RunLink } from '../run-link.tsx';
import { NodeChip } from '../run-status.tsx';
import { useRunAgain } from './run-actions.tsx';
import { type May, refusalOf } from '../../../lib/roles/may.ts';

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

interface RunNodesParts {
  may: May;
  renderTask: (taskId: number) => ReactNode;
}

interface RunNodesProps extends RunNodesParts {
  run: WorkflowRun;
  onRun: (runId: number) => void;
}

function RunNodes(props: RunNodesProps) {
  const { run } = props;
  const states = new Map(run.nodes.map((one) => [one.key, one]));
  return (
    <NodeOutline
      graph={run.graph}
      renderState={(node) => {
        const one = states.get(node.key);
        return one && <State {...props} node={node} one={one} />;
      }}
      renderMore={(node) => {
        const one = states.get(node.key);
        return one && <More one={one} />;
      }}
    />
  );
}

interface StateProps extends RunNodesProps {
  node: WorkflowNode;
  one: RunNode;
}

function State({ run, node, one, renderTask, ...rest }: StateProps) {
  return (
    <>
      {one.begin !== null && (
        <span className="soft">
          <Duration start={one.begin} end={one.end} />
        </span>
      )}
      {one.task_id !== null && renderTask(one.task_id)}
      {one.run_id !== null && <RunLink projectId={run.project_id} id={one.run_id} />}
      <NodeChip state={shownState(node, one.state)} />
      {one.dry_run && <DryRunBadge />}
      {one.state === 'success' && isWithoutHosts(one) && <NoHostsBadge />}
      {isRunFinished(run.status) && hasRun(one) && <AgainButton {...rest} run={run} node={node} />}
    </>
  );
}

const hasRun = ({ state }: RunNode): boolean => state === 'success' || state === 'failure';

type AgainProps = Pick<StateProps, 'run' | 'node' | 'may' | 'onRun'>;

function AgainButton({ run, node, may, onRun }: AgainProps) {
  const again = useRunAgain(run, onRun);
  return (
    <IconButton
      label={t('workflow.run.again_from', { node: node.name })}
      icon={<IconRefresh size={16} />}
      refused={refusalOf(may, 'task.restart')}
      onClick={() => again.start([node.key])}
    />
  );
}

/** Why a node failed, who decided it, and how long it waits. */
function More({ one }: { one: RunNode }) {
  const reason = reasonWords(one);
  const notes = [
    one.is_kept && t('workflow.run.kept'),
    one.decided_by !== null && t('workflow.run.decided_by', { name: one.decided_by }),
    one.state === 'active' &&
      one.until !== null &&
      t('workflow.run.until', { time: exactTime(one.until, timeTag()) }),
    ...Object.entries(one.answers).map(([name, value]) => `${name}: ${String(value)}`),
  ].filter((note) => note !== false);
  if (reason === null && notes.length === 0) return null;
  return (
    <div className="small" style={{ padding: '4px 0 0 28px' }}>
      {reason !== null && <p className="color-danger break">{reason}</p>}
      {notes.length > 0 && <p className="soft break">{notes.join(' · ')}</p>}
    </div>
  );
}
