import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCoffee, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { ActiveTask } from '#shared/api/active-tasks.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { activeTaskQueries, stopActiveTask } from '../active-tasks.queries.ts';
import { TaskStatusChip } from '../task-status-chip.tsx';
import { WaitingReason } from '../waiting-reason.tsx';

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

function activeTaskColumns(onStop: (task: ActiveTask) => void): Column<ActiveTask>[] {
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

/** Asks before a task is stopped, or force stopped if it is stopping already. */
function StopDialog({ task, onClose }: { task: ActiveTask | null; onClose: () => void }) {
  const { mutate, isPending } = useMutation(stopActiveTask());
  const force = task?.status === 'stopping';
  const names = { name: task?.template_name, project: task?.project_name };
  const confirm = () =>
    task &&
    mutate(
      {
        params: { project_id: task.project_id, task_id: task.task_id },
        body: { force },
      },
      { onError: toastFailure, onSettled: onClose },
    );
  return (
    <ConfirmDialog
      opened={task !== null}
      onClose={onClose}
      title={t(force ? 'admin.force_stop_title' : 'admin.stop_title', { id: task?.task_id })}
      text={t(force ? 'admin.force_stop_text' : 'admin.stop_text', names)}
      action={force ? t('task.force_stop') : t('task.stop')}
      busy={isPending}
      onConfirm={() => void confirm()}
    />
  );
}
