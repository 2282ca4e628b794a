import { useQuery } from '@tanstack/react-query';
import { IconHistory } from '@tabler/icons-react';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { useTaskColumns } from './task-table.tsx';
import { taskQueries } from '../tasks.queries.ts';
import { NumberedTable } from '../../../resources/paged-table.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';

interface Props {
  projectId: number;
  templateId: number;
  page: number;
  onPage: (page: number) => void;
  onRunAgain?: (task: Task) => void;
  mayRun: boolean;
}

/** The newest tasks of a template; the websocket updates them. */
export function TaskHistory(props: Props) {
  const { projectId, templateId, page, onPage, onRunAgain, mayRun } = props;
  return (
    <NumberedTable
      result={useQuery(taskQueries.lastOfTemplate(projectId, templateId))}
      page={page}
      onPage={onPage}
      pageSize={20}
      label={t('task.history')}
      columns={useTaskColumns({ onRunAgain, mayRun })}
      rowKey={({ id }) => id}
      none={
        <EmptyState
          icon={<IconHistory size={24} />}
          title={t('task.none.title')}
          text={t('task.none.template')}
        />
      }
    />
  );
}

export function LastTasks({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { data, error } = useQuery(taskQueries.lastOfTemplate(projectId, templateId, 5));
  const columns = useTaskColumns({});
  if (error && !data) return <Failure message={errorWords(error)} />;
  if (data?.length === 0) return <p className="soft">{t('task.none.title')}</p>;
  return (
    <DataTable
      label={t('task.last_five')}
      columns={columns}
      rows={data}
      rowKey={({ id }) => id}
      expectedRows={2}
    />
  );
}
