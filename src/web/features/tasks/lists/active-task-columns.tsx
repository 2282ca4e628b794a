import { Link } from '@tanstack/react-router';
import { IconPlayerStop } from '@tabler/icons-react';
import type { ActiveTask } from '#shared/api/active-tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';
import { WaitingReason } from '../waiting-reason.tsx';

export function activeTaskColumns(onStop: (task: ActiveTask) => void): Column<ActiveTask>[] {
  return [
    {
      key: 'task',
      title: t('task.column.task'),
      wide: 'most',
      cell: (task) => <Name task={task} />,
    },
    {
      key: 'project',
      title: t('admin.column.project'),
      from: 'small',
      cell: ({ project_id: projectId, project_name: name }) => (
        <Link to="/project/$projectId" params={{ projectId }} title={name}>
          {name}
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('task.column.status'),
      from: 'small',
      cell: (task) => <TaskStatusChip task={{ ...task, expected_s: null }} />,
    },
    launchedByColumn(({ username }) => username || null),
    {
      key: 'runner',
      title: t('admin.column.runner'),
      from: 'large',
      cell: ({ runner_name: name }) => name || '—',
    },
    {
      key: 'created',
      title: t('admin.column.launched'),
      from: 'medium',
      cell: ({ created }) => <TimeAgo time={created} />,
    },
    {
      key: 'duration',
      title: t('task.column.duration'),
      from: 'small',
      cell: ({ start }) => <Duration start={start} end={null} />,
    },
    {
      key: 'actions',
      title: '',
      hiddenTitle: t('common.actions'),
      align: 'end',
      cell: (task) => (
        <IconButton
          label={t('admin.stop_label', { id: task.task_id })}
          hint={task.status === 'stopping' ? t('task.force_stop') : t('task.stop')}
          icon={<IconPlayerStop size={16} />}
          onClick={() => onStop(task)}
        />
      ),
    },
  ];
}

function Name({ task }: { task: ActiveTask }) {
  const { project_id: projectId, task_id: id, template_name: name } = task;
  return (
    <span className="column items-start gap-2">
      <Link
        to="/project/$projectId/history"
        params={{ projectId }}
        search={{ t: id }}
        title={name}
        className="max-w-full cut"
      >
        <span className="numbers">#{id}</span> {name}
      </Link>
      <span className="block narrow-only">
        <TaskStatusChip task={{ ...task, expected_s: null }} />
      </span>
      {task.status === 'waiting' && (
        <span className="small white-space-normal">
          <WaitingReason task={task} />
        </span>
      )}
    </span>
  );
}
