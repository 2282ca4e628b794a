import { Link } from '@tanstack/react-router';
import type { ShortRun } from '#shared/api/workflow-runs.ts';
import { t } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { RunLink } from '../run-link.tsx';
import { RunChip } from '../run-status.tsx';

/** `withWorkflow`: the list has runs of several workflows. */
export function runColumns({
  withWorkflow = false,
}: { withWorkflow?: boolean } = {}): Column<ShortRun>[] {
  const run: Column<ShortRun> = {
    key: 'run',
    title: t('workflow.runs'),
    cell: ({ id, project_id: projectId }) => <RunLink projectId={projectId} id={id} />,
  };
  return [run, ...(withWorkflow ? [workflowColumn()] : []), ...facts()];
}

const workflowColumn = (): Column<ShortRun> => ({
  key: 'workflow',
  title: t('workflow.one'),
  wide: true,
  cell: ({ project_id: projectId, workflow_id: workflowId, name }) => (
    <Link
      to="/project/$projectId/workflows/$workflowId"
      params={{ projectId, workflowId }}
      className="break"
    >
      {name}
    </Link>
  ),
});

const facts = (): Column<ShortRun>[] => [
  {
    key: 'message',
    title: t('task.fact.message'),
    wide: true,
    from: 'medium',
    cell: ({ message }) => message,
  },
  {
    key: 'status',
    title: t('task.column.status'),
    cell: ({ status, waits_for: waitsFor }) => <RunChip status={status} waitsFor={waitsFor} />,
  },
  launchedByColumn(({ user_name: user }) => user),
  {
    key: 'start',
    title: t('task.column.start'),
    from: 'small',
    cell: ({ created }) => <TimeAgo time={created} />,
  },
  {
    key: 'duration',
    title: t('task.column.duration'),
    from: 'small',
    cell: ({ created, end }) => <Duration start={created} end={end} />,
  },
];
