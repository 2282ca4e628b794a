import { useQuery } from '@tanstack/react-query';
import { IconHistory } from '@tabler/icons-react';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { CursorPager } from '../../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../../ui/lists/cursors.ts';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { workflowQueries } from '../workflows.queries.ts';
import { runColumns } from './run-columns.tsx';

export interface RunTableProps {
  projectId: number;
  workflowId: number;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

export function RunTable({ projectId, workflowId, trail, onTrail }: RunTableProps) {
  const before = cursorOf(trail);
  const { data, error, refetch } = useQuery(
    workflowQueries.runs(projectId, { workflow: workflowId }, before),
  );
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
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
        columns={runColumns()}
        rows={data?.items}
        rowKey={({ id }) => id}
      />
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}
