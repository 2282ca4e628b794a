import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RunNode, WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { isWithoutHosts } from '#shared/task-status.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { exactTime } from '../../../lib/time.ts';
import { Duration } from '../../../lib/time-text.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { DryRunBadge } from '../../../ui/feedback/dry-run-badge.tsx';
import { NoHostsBadge } from '../../../ui/feedback/no-hosts-badge.tsx';
import { NodeOutline } from '../node-outline.tsx';
import { RunLink } from '../run-link.tsx';
import { NodeChip } from '../run-status.tsx';
import { reasonWords, shownState } from '../run-words.ts';
import { useRunAgain } from './use-run-again.ts';

export interface RunNodesParts {
  mayRun: boolean;
  renderTask: (taskId: number) => ReactNode;
}

interface Props extends RunNodesParts {
  run: WorkflowRun;
  onRun: (runId: number) => void;
}

export function RunNodes(props: Props) {
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

interface StateProps extends Props {
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

type AgainProps = Pick<StateProps, 'run' | 'node' | 'mayRun' | 'onRun'>;

function AgainButton({ run, node, mayRun, onRun }: AgainProps) {
  const again = useRunAgain(run, onRun);
  return (
    <IconButton
      label={t('workflow.run.again_from', { node: node.name })}
      icon={<IconRefresh size={16} />}
      refused={mayRun ? null : t('role.read_only')}
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
