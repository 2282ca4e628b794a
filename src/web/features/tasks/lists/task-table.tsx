import { Link } from '@tanstack/react-router';
import { IconArrowRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { Task } from '#shared/api/tasks.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { RunAgainButton } from '../run-again-button.tsx';
import { TaskLink, TaskVersion } from '../task-link.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';
import classes from './task-table.module.css';

interface Props {
  label: string;
  tasks: Task[] | undefined;
  /** Name the template of each task; not needed on the page of one template. */
  withTemplate?: boolean;
  /** Offers to run a task again; absent where that is not wanted. */
  onRunAgain?: ((task: Task) => void) | undefined;
  mayRun?: boolean;
  expectedRows?: number;
}

export function TaskTable(props: Props) {
  const { label, tasks, withTemplate = false, onRunAgain, mayRun = false, expectedRows } = props;
  const { t } = useTranslation();
  const columns = taskColumns({ withTemplate, onRunAgain, mayRun, t });
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

interface Context {
  withTemplate: boolean;
  onRunAgain: ((task: Task) => void) | undefined;
  mayRun: boolean;
  t: TFunction;
}

function taskColumns({ withTemplate, onRunAgain, mayRun, t }: Context): Column<Task>[] {
  const list: Column<Task>[] = [
    {
      key: 'task',
      title: t('task.column.task'),
      wide: true,
      cell: (task) => <TaskName task={task} withTemplate={withTemplate} />,
    },
    {
      key: 'version',
      title: t('task.column.version'),
      from: 'medium',
      cell: (task) => <TaskVersion task={task} />,
    },
    {
      key: 'status',
      title: t('task.column.status'),
      cell: (task) => <TaskStatusChip task={task} />,
    },
    {
      key: 'user',
      title: t('task.column.user'),
      from: 'medium',
      cell: (task) => task.user_name ?? '—',
    },
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

function TaskName({ task, withTemplate }: { task: Task; withTemplate: boolean }) {
  const params = { projectId: task.project_id, templateId: task.template_id };
  return (
    <span className={classes.name}>
      <TaskLink id={task.id} />
      {withTemplate && (
        <>
          <IconArrowRight size={14} className="soft" aria-hidden="true" />
          <Link
            to="/project/$projectId/templates/$templateId"
            params={params}
            className="cut"
            title={task.tpl_alias}
          >
            {task.tpl_alias}
          </Link>
        </>
      )}
      {task.message && <span className={`soft cut ${classes.message}`}>{task.message}</span>}
    </span>
  );
}
