import { useQuery } from '@tanstack/react-query';
import { IconCalendarClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Fire } from '#shared/api/schedules.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { FireChip, fireReason } from './fire-result.tsx';
import { scheduleQueries } from './schedules.queries.ts';

export interface FireLogProps {
  projectId: number;
  scheduleId: number;
  trail: Trail;
  onTrail: (trail: Trail) => void;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

export function FireLog({ projectId, scheduleId, trail, onTrail, ...links }: FireLogProps) {
  const before = cursorOf(trail);
  const { data, error, refetch } = useQuery(scheduleQueries.fires(projectId, scheduleId, before));
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.items.length === 0 && !trail) {
    return (
      <EmptyState
        icon={<IconCalendarClock size={24} />}
        title={t('schedule.no_fires.title')}
        text={t('schedule.no_fires.text')}
      />
    );
  }
  return (
    <>
      <DataTable
        label={t('schedule.fires')}
        columns={columns(links)}
        rows={data?.items}
        rowKey={({ id }) => id}
      />
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}

type Links = Pick<FireLogProps, 'renderTask' | 'renderRun'>;

const columns = ({ renderTask, renderRun }: Links): Column<Fire>[] => [
  { key: 'due', title: t('schedule.due'), cell: ({ due }) => <TimeAgo time={due} /> },
  {
    key: 'result',
    title: t('schedule.result.label'),
    cell: ({ result }) => <FireChip result={result} />,
  },
  {
    key: 'launched',
    title: t('starts.launched'),
    cell: ({ task_id: task, workflow_run_id: run }) =>
      task !== null ? renderTask(task) : run !== null ? renderRun(run) : '—',
  },
  {
    key: 'reason',
    title: t('delivery.why'),
    wide: true,
    from: 'small',
    cell: (fire) => <span title={fireReason(fire)}>{fireReason(fire) || '—'}</span>,
  },
  {
    key: 'commit',
    title: t('task.fact.commit'),
    from: 'medium',
    cell: ({ commit_hash: hash }) => (hash === null ? '—' : <code>{hash.slice(0, 8)}</code>),
  },
];
