import { useQuery } from '@tanstack/react-query';
import { IconCoffee } from '@tabler/icons-react';
import { useState } from 'react';
import type { ActiveTask } from '#shared/api/active-tasks.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { activeTaskColumns } from './active-task-columns.tsx';
import { activeTaskQueries } from '../active-tasks.queries.ts';
import { StopDialog } from './stop-dialog.tsx';

const pageSize = 50;

export function ActiveTaskList({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const { data, error, refetch } = useQuery(activeTaskQueries.list());
  const [asked, setAsked] = useState<ActiveTask | null>(null);
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.length === 0) {
    return (
      <EmptyState
        icon={<IconCoffee size={24} />}
        title={t('admin.no_tasks')}
        text={t('admin.no_tasks_text')}
      />
    );
  }
  const shown = Math.min(page, Math.max(1, Math.ceil((data?.length ?? 1) / pageSize)));
  return (
    <>
      <DataTable
        label={t('admin.tasks')}
        columns={activeTaskColumns(setAsked)}
        rows={data?.slice((shown - 1) * pageSize, shown * pageSize)}
        rowKey={({ task_id: id }) => id}
      />
      <Pager page={shown} pageSize={pageSize} total={data?.length ?? 0} onPage={onPage} />
      <StopDialog task={asked} onClose={() => setAsked(null)} />
    </>
  );
}
