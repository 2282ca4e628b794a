import { useMediaQuery } from '@mantine/hooks';
import { IconArrowRight } from '@tabler/icons-react';
import type { Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { PlanSigns } from '../plan/plan-signs.tsx';
import { RunAgainButton } from '../run-again-button.tsx';
import { TaskLink, TaskTemplateLink, TaskVersion } from '../task-link.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';

interface Props {
  label: string;
  tasks: Task[] | undefined;
  /** Whether each row has its template; false on the page of one template. */
  withTemplate?: boolean;
  /** Without it, rows have no button to run the task again. */
  onRunAgain?: ((task: Task) => void) | undefined;
  mayRun?: boolean;
  expectedRows?: number;
}

export function TaskTable(props: Props) {
  const { label, tasks, withTemplate = false, onRunAgain, mayRun = false, expectedRows } = props;
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const columns = taskColumns({ withTemplate, onRunAgain, mayRun, isNarrow });
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={tasks}
      rowKey={({ id }) => id}
      {...(expectedRows === undefined ? {} : { expectedRows })}
    />
  );
}

const narrow = '(max-width: 591px)';

interface Context {
  withTemplate: boolean;
  onRunAgain: ((task: Task) => void) | undefined;
  mayRun: boolean;
  /** Whether the status is below the name, because its column does not fit. */
  isNarrow: boolean;
}

function taskColumns(context: Context): Column<Task>[] {
  const { withTemplate, onRunAgain, mayRun, isNarrow } = context;
  const list: Column<Task>[] = [
    {
      key: 'task',
      title: t('task.column.task'),
      wide: true,
      cell: (task) => <TaskName task={task} withTemplate={withTemplate} isNarrow={isNarrow} />,
    },
    {
      key: 'version',
      title: t('task.column.version'),
      from: 'medium',
      cell: (task) => <TaskVersion task={task} />,
    },
    ...(isNarrow ? [] : [statusColumn()]),
    launchedByColumn(({ user_name: user }) => user),
    {
      key: 'start',
      title: t('task.column.start'),
      from: 'small',
      cell: (task) => <TimeAgo time={task.start} />,
    },
    {
      key: 'duration',
      title: t('task.column.duration'),
      from: 'small',
      cell: (task) => <Duration start={task.start} end={task.end} />,
    },
  ];
  if (onRunAgain) {
    list.push({
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: (task) => (
        <RunAgainButton mayRun={mayRun} taskId={task.id} onClick={() => onRunAgain(task)} />
      ),
    });
  }
  return list;
}

const statusColumn = (): Column<Task> => ({
  key: 'status',
  title: t('task.column.status'),
  cell: (task) => <TaskStatusChip task={task} />,
});

interface NameProps extends Pick<Context, 'withTemplate' | 'isNarrow'> {
  task: Task;
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
