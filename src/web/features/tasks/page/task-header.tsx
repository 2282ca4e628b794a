import { VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { TaskActions } from './task-actions.tsx';
import { TaskFacts } from './task-facts.tsx';
import { failureWords } from '../../../lib/error-words.ts';
import { statusWords } from '../status-words.ts';
import { TaskTemplateLink } from '../task-link.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';
import classes from './task-view.module.css';
import { WaitingReason } from '../waiting-reason.tsx';

export function TaskTitle({ task }: { task: Task }) {
  return (
    <span className={`flex baseline gap-8 min-w-0 ${classes.title}`}>
      <TaskTemplateLink task={task} />
      <span className="soft" aria-hidden="true">
        ›
      </span>
      <span className="flex-none">{t('task.title', { id: task.id })}</span>
    </span>
  );
}

interface Props {
  task: WholeTask;
  mayRun: boolean;
  onRunAgain: () => void;
  isPage: boolean;
}

export function TaskHeader(props: Props) {
  const { task } = props;
  const status = statusWords(task.status);
  return (
    <div className={`row wrap flex-none border-bottom ${classes.header}`}>
      <TaskStatusChip task={task} />
      <VisuallyHidden component="output" aria-live="polite">
        {t('task.announce', { id: task.id, status })}
      </VisuallyHidden>
      <TaskNumber task={task} />
      <Reason task={task} />
      <TaskActions {...props} />
      <TaskFacts task={task} />
    </div>
  );
}

/** The number of the Ansible task that runs, of those of an earlier run. */
function TaskNumber({ task: { status, progress, expected_tasks: total } }: Pick<Props, 'task'>) {
  if (status !== 'running' || !progress || progress.tasks === 0) return null;
  const { tasks: number } = progress;
  return (
    <span className="small soft numbers nowrap">
      {total === null || number > total
        ? t('task.number', { number })
        : t('task.number_of', { number, total })}
    </span>
  );
}

/** Why the task waits or has failed. */
function Reason({ task }: Pick<Props, 'task'>) {
  // The confirmation card has the reason.
  if (task.status === 'waiting_confirmation') return null;
  if (task.failure) {
    const words = failureWords(task.failure);
    return (
      <span
        className={`min-w-0 soft ${classes.reason} ${task.status === 'error' ? 'color-danger cut' : ''}`}
        title={words}
      >
        {words}
      </span>
    );
  }
  return (
    <span className={`min-w-0 soft ${classes.reason}`}>
      <WaitingReason task={task} />
    </span>
  );
}
