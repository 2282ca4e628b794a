import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCoffee, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { type ActiveTask, activeTasks } from '#shared/api/active-tasks.ts';
import type { BulkResult } from '#shared/api/bulk.ts';
import { t } from '../../../lib/i18n.ts';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import {
  actionsColumn,
  column,
  roomForDurations,
  roomForStatuses,
  roomForTimes,
} from '../../../resources/columns.ts';
import { roomForCharacters } from '../../../ui/lists/column-room.ts';
import { BulkBar, BulkFailureDialog, useBulk } from '../../../resources/bulk-bar.tsx';
import { activeTaskQueries, stopActiveTask } from '../active-tasks.queries.ts';
import { TaskStatusChip } from '../task-status-chip.tsx';
import { WaitingReason } from '../waiting-reason.tsx';
import { callBulk, stopAction } from './task-bulk.tsx';
import { NumberedTable } from '../../../resources/paged-table.tsx';
import { ProjectLink } from '../../../resources/links.tsx';

export function ActiveTaskList({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const [asked, setAsked] = useState<ActiveTask | null>(null);
  const result = useQuery(activeTaskQueries.list());
  const bulk = useBulk({ idOf: ({ task_id: id }: ActiveTask) => id, refresh: [activeTasks.list] });
  const actions = [stopAction((ids) => stopInProjects(result.data ?? [], ids))];
  return (
    <NumberedTable
      result={result}
      page={page}
      onPage={onPage}
      pageSize={50}
      label={t('admin.tasks')}
      columns={activeTaskColumns(setAsked)}
      rowKey={({ task_id: id }) => id}
      none={
        <EmptyState
          icon={<IconCoffee size={24} />}
          title={t('admin.no_tasks')}
          text={t('admin.no_tasks_text')}
        />
      }
      selection={{
        isSelectable: () => true,
        nameOf: ({ task_id: id, template_name: name }) => `#${id} ${name}`,
        renderBar: (selected) => <BulkBar {...{ bulk, selection: selected, actions }} />,
      }}
    >
      <StopDialog task={asked} onClose={() => setAsked(null)} />
      <BulkFailureDialog bulk={bulk} />
    </NumberedTable>
  );
}

async function stopInProjects(all: ActiveTask[], ids: number[]): Promise<BulkResult[]> {
  const chosen = all.filter(({ task_id: id }) => ids.includes(id));
  const results: BulkResult[] = [];
  for (const [projectId, ofProject] of Map.groupBy(chosen, (task) => task.project_id)) {
    const taskIds = ofProject.map(({ task_id: id }) => id);
    results.push(...(await callBulk(projectId, 'stop', taskIds)));
  }
  return results;
}

function activeTaskColumns(onStop: (task: ActiveTask) => void): Column<ActiveTask>[] {
  return [
    column('task', t('task.column.task'), { wide: 'most' }, (task) => <Name task={task} />),
    column(
      'project',
      t('admin.column.project'),
      { from: 'small', room: roomForCharacters(16) },
      (task) => <ProjectLink projectId={task.project_id} name={task.project_name} />,
    ),
    column(
      'status',
      t('task.column.status'),
      { from: 'small', room: roomForStatuses() },
      (task) => <TaskStatusChip task={{ ...task, expected_s: null }} />,
    ),
    launchedByColumn(({ username }) => username || null),
    column(
      'runner',
      t('admin.column.runner'),
      { from: 'large', room: roomForCharacters(14) },
      ({ runner_name: name }) => name || '—',
    ),
    column(
      'created',
      t('admin.column.launched'),
      { from: 'medium', room: roomForTimes() },
      ({ created }) => <TimeAgo time={created} />,
    ),
    column(
      'duration',
      t('task.column.duration'),
      { from: 'small', align: 'end', room: roomForDurations() },
      ({ start }) => <Duration start={start} end={null} />,
    ),
    actionsColumn((task) => (
      <IconButton
        label={t('admin.stop_label', { id: task.task_id })}
        hint={task.status === 'stopping' ? t('task.force_stop') : t('task.stop')}
        icon={<IconPlayerStop size={16} />}
        onClick={() => onStop(task)}
      />
    )),
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
