import { useQuery } from '@tanstack/react-query';
import { IconHistory } from '@tabler/icons-react';
import type { Task } from '#shared/api/tasks.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { TaskTable } from './task-table.tsx';
import { taskQueries } from '../tasks.queries.ts';

const pageSize = 20;

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
  const { data, error, refetch } = useQuery(taskQueries.lastOfTemplate(projectId, templateId));
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.length === 0) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title={t('task.none.title')}
        text={t('task.none.template')}
      />
    );
  }
  const last = Math.max(1, Math.ceil((data?.length ?? 1) / pageSize));
  const shown = Math.min(page, last);
  return (
    <>
      <TaskTable
        label={t('task.history')}
        tasks={data?.slice((shown - 1) * pageSize, shown * pageSize)}
        onRunAgain={onRunAgain}
        mayRun={mayRun}
      />
      <Pager page={shown} pageSize={pageSize} total={data?.length ?? 0} onPage={onPage} />
    </>
  );
}

export function LastTasks({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { data, error } = useQuery(taskQueries.lastOfTemplate(projectId, templateId, 5));
  if (error && !data) return <Failure message={errorWords(error)} />;
  if (data?.length === 0) return <p className="soft">{t('task.none.title')}</p>;
  return <TaskTable label={t('task.last_five')} tasks={data} expectedRows={2} />;
}
