import {
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconPlayerStop,
  IconUserCheck,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Chip, Spinner, type Tone } from '../../ui/feedback/chip.tsx';
import { ExpectedBar } from './expected-bar.tsx';
import classes from './expected-bar.module.css';

const size = 15;
const looks: Record<TaskStatus, { tone: Tone; icon: ReactNode }> = {
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

type Shown = Pick<Task, 'status' | 'start' | 'expected_s'>;

export function TaskStatusChip({ task }: { task: Shown | null | undefined }) {
  const { t } = useTranslation();
  if (!task) return <span className="soft">{t('task.not_launched')}</span>;
  const { tone, icon } = looks[task.status];
  return (
    <span className={classes.status}>
      <Chip tone={tone} icon={icon}>
        {t(`task.status.${task.status}`)}
      </Chip>
      <ExpectedBar task={task} />
    </span>
  );
}
