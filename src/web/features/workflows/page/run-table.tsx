import { useQuery } from '@tanstack/react-query';
import { IconHistory } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ShortRun } from '#shared/api/workflow-runs.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { CursorPager } from '../../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { RunLink } from '../run-link.tsx';
import { RunChip } from '../run-status.tsx';
import { workflowQueries } from '../workflows.queries.ts';

export interface RunTableProps {
  projectId: number;
  workflowId: number;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

/** The runs of a workflow, the newest first. */
export function RunTable({ projectId, workflowId, trail, onTrail }: RunTableProps) {
  const { t } = useTranslation();
  const before = cursorOf(trail);
  const { data, error, refetch } = useQuery(workflowQueries.runs(projectId, workflowId, before));
  if (error && !data) return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  if (data?.items.length === 0 && !trail) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title={t('workflow.no_runs.title')}
        text={t('workflow.no_runs.text')}
      />
    );
  }
  return (
    <>
      <DataTable
        label={t('workflow.runs')}
        columns={columns(t)}
        rows={data?.items}
        rowKey={({ id }) => id}
      />
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}

const columns = (t: TFunction): Column<ShortRun>[] => [
  {
    key: 'run',
    title: t('workflow.runs'),
    cell: ({ id, project_id: projectId }) => <RunLink projectId={projectId} id={id} />,
  },
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
  {
    key: 'user',
    title: t('task.column.user'),
    from: 'medium',
    cell: ({ user_name: name }) => name ?? '—',
  },
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
