import {
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconPlayerStop,
  IconUserCheck,
} from '@tabler/icons-react';
import type { Task } from '#shared/api/tasks.ts';
import { isTaskStatus, isWithoutHosts, type TaskStatus } from '#shared/task-status.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { Spinner } from '../../ui/feedback/chip.tsx';
import { DryRunBadge } from '../../ui/feedback/dry-run-badge.tsx';
import { NoHostsBadge } from '../../ui/feedback/no-hosts-badge.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import { failureWords } from '../../lib/error-words.ts';
import { useNow } from '../../lib/time-text.tsx';
import { span } from '../../lib/time.ts';
import classes from './expected-bar.module.css';

const size = 15;
const looks: ChipStyles<TaskStatus> = {
  waiting: { tone: 'neutral', icon: <IconClock size={size} /> },
  starting: { tone: 'running', icon: <Spinner /> },
  waiting_confirmation: { tone: 'warning', icon: <IconHandStop size={size} /> },
  confirmed: { tone: 'running', icon: <IconUserCheck size={size} /> },
  running: { tone: 'running', icon: <Spinner /> },
  stopping: { tone: 'warning', icon: <Spinner /> },
  success: { tone: 'success', icon: <IconCircleCheck size={size} /> },
  error: { tone: 'danger', icon: <IconCircleX size={size} /> },
  stopped: { tone: 'neutral', icon: <IconPlayerStop size={size} /> },
};
type ChipTask = Pick<Task, 'status' | 'dry_run' | 'start' | 'expected_s'> & {
  failure?: Task['failure'];
};

export function TaskStatusChip({ task }: { task: ChipTask | null | undefined }) {
  if (!task) return <span className="soft">{t('task.not_launched')}</span>;
  return (
    <span
      className="inline-flex wrap gap-4 max-w-full"
      style={{ verticalAlign: 'middle' }}
      title={task.failure ? failureWords(task.failure) : undefined}
    >
      <StateChip state={task.status} looks={looks} words={statusWords} />
      {task.dry_run && <DryRunBadge />}
      {task.status === 'success' && isWithoutHosts(task) && <NoHostsBadge />}
      <ExpectedBar task={task} />
    </span>
  );
}

/** The elapsed share of the expected duration, which is computed from earlier tasks. */
function ExpectedBar({ task }: { task: Pick<Task, 'status' | 'start' | 'expected_s'> }) {
  const { status, start, expected_s: expected } = task;
  if (status !== 'running' || start === null || expected === null) return null;
  return <Bar start={Date.parse(start)} expected={expected} />;
}

function Bar({ start, expected }: { start: number; expected: number }) {
  const now = useNow(true);
  const share = Math.min(1, Math.max(0, (now - start) / 1000 / expected));
  const label = t('task.expected', { time: span(expected, languageTag) });
  return (
    <progress
      className={`block overflow-hidden ${classes.bar}`}
      aria-label={label}
      max={100}
      value={Math.round(share * 100)}
      title={label}
    />
  );
}

/** A newer server may send a status that this page does not know. */
export const statusWords = (status: string): string =>
  isTaskStatus(status) ? t(`task.status.${status}`) : t('common.unknown_state', { state: status });
