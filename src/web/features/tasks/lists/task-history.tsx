import { useQuery } from '@tanstack/react-query';
import { IconArrowRight, IconHistory } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { NumberedTable } from '../../../resources/paged-table.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import {
  actionsColumn,
  column,
  roomForDurations,
  roomForStatuses,
  roomForTimes,
} from '../../../resources/columns.ts';
import { roomForCharacters } from '../../../ui/lists/column-room.ts';
import { taskQueries } from '../tasks.queries.ts';
import { PlanSigns } from '../plan/plan-signs.tsx';
import { RunAgainButton } from '../run-again-button.tsx';
import { useTaskSelection } from './task-bulk.tsx';
import { TaskLink, TaskTemplateLink, TaskVersion } from '../task-link.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';
import { type May, mayOn } from '../../../lib/roles/may.ts';

interface Props {
  projectId: number;
  templateId: number;
  page: number;
  onPage: (page: number) => void;
  onRunAgain?: (task: Task) => void;
  may: May;
}

/** The newest tasks of a template; the websocket updates them. */
export function TaskHistory(props: Props) {
  const { projectId, templateId, page, onPage, onRunAgain, may } = props;
  const { selection, dialog } = useTaskSelection(projectId, may);
  return (
    <NumberedTable
      result={useQuery(taskQueries.lastOfTemplate(projectId, templateId))}
      page={page}
      onPage={onPage}
      pageSize={20}
      label={t('task.history')}
      columns={useTaskColumns({ again: onRunAgain && { may, onClick: onRunAgain } })}
      rowKey={({ id }) => id}
      none={
        <EmptyState
          icon={<IconHistory size={24} />}
          title={t('task.none.title')}
          text={t('task.none.template')}
        />
      }
      selection={selection}
    >
      {dialog}
    </NumberedTable>
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

interface Options {
  /** Whether each row has its template; false on the page of one template. */
  withTemplate?: boolean;
  /** Without it, rows have no button to run the task again. */
  again?: { may: May; onClick: (task: Task) => void } | undefined;
}

const narrow = '(max-width: 591px)';

export function useTaskColumns({ withTemplate = false, again }: Options) {
  // In narrow tables the status is below the name, because its column does not fit.
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const status: Column<Task> = column(
    'status',
    t('task.column.status'),
    { room: roomForStatuses() },
    (task) => <TaskStatusChip task={task} />,
  );
  const list: Column<Task>[] = [
    column('task', t('task.column.task'), { wide: true }, (task) => (
      <TaskName task={task} withTemplate={withTemplate} isNarrow={isNarrow} />
    )),
    column(
      'version',
      t('task.column.version'),
      { from: 'medium', room: roomForCharacters(8) },
      (task) => <TaskVersion task={task} />,
    ),
    ...(isNarrow ? [] : [status]),
    launchedByColumn(({ user_name: user }) => user),
    column('start', t('task.column.start'), { from: 'small', room: roomForTimes() }, (task) => (
      <TimeAgo time={task.start} />
    )),
    column(
      'duration',
      t('task.column.duration'),
      { from: 'medium', align: 'end', room: roomForDurations() },
      (task) => <Duration start={task.start} end={task.end} />,
    ),
  ];
  if (!again) return list;
  const { may, onClick } = again;
  const button: Column<Task> = actionsColumn((task) => (
    <RunAgainButton
      may={mayOn(may, 'template', task.template_id)}
      taskId={task.id}
      onClick={() => onClick(task)}
    />
  ));
  return [...list, button];
}

interface NameProps {
  task: Task;
  withTemplate: boolean;
  isNarrow: boolean;
}

function TaskName({ task, withTemplate, isNarrow }: NameProps) {
  const name = <TaskWords task={task} withTemplate={withTemplate} />;
  if (!isNarrow) return name;
  return (
    <span className="column items-start gap-2">
      {name}
      <TaskStatusChip task={task} />
    </span>
  );
}

function TaskWords({ task, withTemplate }: Omit<NameProps, 'isNarrow'>) {
  return (
    <span className="row gap-6 min-w-0 max-w-full">
      <TaskLink id={task.id} />
      {withTemplate && (
        <>
          <IconArrowRight size={14} className="soft" aria-hidden="true" />
          <TaskTemplateLink task={task} />
        </>
      )}
      <PlanSigns plan={task.plan} />
      {task.message && (
        // Shrinks before the name.
        <span className="soft cut min-w-0 small" style={{ flex: '1 1000 0', marginLeft: 6 }}>
          {task.message}
        </span>
      )}
    </span>
  );
}
