import { useQuery } from '@tanstack/react-query';
import { IconCircleCheck, IconPlayerPause, IconServer } from '@tabler/icons-react';
import type { Runner } from '#shared/api/runners.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t, useTranslation } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { Chip } from '../../ui/chip.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { runnerQueries } from './runners.queries.ts';

/** Where tasks run, and how much each has to do. */
export function RunnerList() {
  const { t: words } = useTranslation();
  const { data, error, refetch } = useQuery(runnerQueries.list());
  if (error && !data) {
    return <Failure message={errorWords(error)} onRetry={() => void refetch()} />;
  }
  if (data?.length === 0) {
    return <EmptyState icon={<IconServer size={24} />} title={words('runner.none')} />;
  }
  return (
    <DataTable
      label={words('admin.runners')}
      columns={columns()}
      rows={data}
      rowKey={({ id }) => id}
      expectedRows={2}
    />
  );
}

const columns = (): Column<Runner>[] => [
  { key: 'name', title: t('runner.column.name'), wide: true, cell: ({ name }) => name },
  {
    key: 'state',
    title: t('runner.column.state'),
    cell: ({ active }) =>
      active ? (
        <Chip tone="success" icon={<IconCircleCheck size={15} />}>
          {t('runner.active')}
        </Chip>
      ) : (
        <Chip tone="neutral" icon={<IconPlayerPause size={15} />}>
          {t('runner.inactive')}
        </Chip>
      ),
  },
  {
    key: 'running',
    title: t('runner.column.running'),
    cell: ({ running, max_parallel_tasks: most }) => (
      <span className="numbers">
        {most > 0 ? t('runner.running_of', { running, most }) : t('runner.running', { running })}
      </span>
    ),
  },
  {
    key: 'version',
    title: t('runner.column.version'),
    from: 'medium',
    cell: ({ version }) => <code>{version}</code>,
  },
  {
    key: 'seen',
    title: t('runner.column.seen'),
    from: 'small',
    cell: ({ last_seen: time }) => <TimeAgo time={time} />,
  },
];
