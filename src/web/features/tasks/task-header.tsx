import { Button, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCheck, IconDownload, IconLink, IconPlayerStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished, stoppableStatuses } from '#shared/task-status.ts';
import { pathOf } from '../../lib/api.ts';
import { errorWords } from '../../lib/error-words.ts';
import { languageTag, useTranslation } from '../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../lib/time-text.tsx';
import { clockTime, span } from '../../lib/time.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { toast, toastError } from '../../ui/toast.ts';
import { RunAgainButton } from './run-again-button.tsx';
import classes from './task-dialog.module.css';
import { TaskStatusChip } from './task-status-chip.tsx';
import { TaskVersion } from './task-version.tsx';
import { confirmTask, stopTask } from './tasks.queries.ts';

export function TaskTitle({ task }: { task: Task }) {
  const { t } = useTranslation();
  return (
    <span className={classes.title}>
      <Link
        to="/project/$projectId/templates/$templateId"
        params={{ projectId: task.project_id, templateId: task.template_id }}
        className="cut"
        title={task.tpl_alias}
      >
        {task.tpl_alias}
      </Link>
      <span className="soft" aria-hidden="true">
        ›
      </span>
      <span className={classes.id}>{t('task.title', { id: task.id })}</span>
    </span>
  );
}

interface Props {
  task: Task;
  mayRun: boolean;
  onRunAgain: () => void;
}

export function TaskHeader({ task, mayRun, onRunAgain }: Props) {
  const { t } = useTranslation();
  const status = t(`task.status.${task.status}`);
  return (
    <div className={classes.header}>
      <TaskStatusChip task={task} />
      <VisuallyHidden component="output" aria-live="polite">
        {t('task.announce', { id: task.id, status })}
      </VisuallyHidden>
      <dl className={classes.facts}>
        <Fact name={t('task.fact.user')}>{task.user_name ?? '—'}</Fact>
        <Fact name={t('task.fact.start')}>
          <TimeAgo time={task.start} />
        </Fact>
        <Fact name={t('task.fact.duration')}>
          <Duration start={task.start} end={task.end} />
        </Fact>
        {!isFinished(task.status) && task.expected_s !== null && (
          <Fact name={t('task.fact.expected')}>{span(task.expected_s, languageTag)}</Fact>
        )}
        <Progress task={task} />
        {(task.version ?? task.build_task) && (
          <Fact name={t('task.column.version')}>
            <TaskVersion task={task} />
          </Fact>
        )}
        {task.attempts > 1 && (
          <Fact name={t('task.fact.attempt')}>
            {t('task.attempt_of', { attempt: task.attempt, attempts: task.attempts })}
          </Fact>
        )}
        {task.message && <Fact name={t('task.fact.message')}>{task.message}</Fact>}
        {task.commit_hash && (
          <Fact name={t('task.fact.commit')}>
            <code title={task.commit_hash}>{task.commit_hash.slice(0, 8)}</code>{' '}
            {task.commit_message}
          </Fact>
        )}
      </dl>
      <div className={classes.actions}>
        <WaitingReason task={task} />
        <ConfirmButton task={task} mayRun={mayRun} />
        <StopButton task={task} mayRun={mayRun} />
        <RunAgainButton mayRun={mayRun} taskId={task.id} onClick={onRunAgain} />
        <Download task={task} />
        <CopyLink />
      </div>
    </div>
  );
}

/** What an Ansible run does just now. */
function Progress({ task: { status, progress } }: Pick<Props, 'task'>) {
  const { t } = useTranslation();
  if (!progress || isFinished(status)) return null;
  const { play, task, failed, unreachable } = progress;
  return (
    <>
      <Fact name={t('task.fact.now')}>
        <span title={`${play} · ${task}`}>{[play, task].filter(Boolean).join(' · ')}</span>
      </Fact>
      {failed + unreachable > 0 && (
        <Fact name={t('task.fact.bad_hosts')}>{failed + unreachable}</Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function WaitingReason({ task: { status, waiting_for: reason } }: Pick<Props, 'task'>) {
  const { t } = useTranslation();
  if (status !== 'waiting' || !reason) return null;
  const { task_id: id, limit, until } = reason;
  const time = until && clockTime(until, languageTag);
  return (
    <span className="soft">{t(`task.waiting_for.${reason.reason}`, { id, limit, time })}</span>
  );
}

function ConfirmButton({ task, mayRun }: Pick<Props, 'task' | 'mayRun'>) {
  const { t } = useTranslation();
  const confirm = useMutation({
    ...confirmTask(),
    onError: (error) => toastError(errorWords(error)),
  });
  if (task.status !== 'waiting_confirmation') return null;
  return (
    <>
      <span className="soft">{t('task.please_confirm')}</span>
      <ActionButton
        variant="filled"
        size="compact-sm"
        leftSection={<IconCheck size={15} />}
        refused={mayRun ? null : t('role.read_only')}
        loading={confirm.isPending}
        onClick={() =>
          confirm.mutate({ params: { project_id: task.project_id, task_id: task.id } })
        }
      >
        {t('task.confirm')}
      </ActionButton>
    </>
  );
}

function StopButton({ task, mayRun }: Pick<Props, 'task' | 'mayRun'>) {
  const { t } = useTranslation();
  const stop = useMutation({
    ...stopTask(),
    onError: (error) => toastError(errorWords(error)),
  });
  if (!stoppableStatuses.includes(task.status)) return null;
  const force = task.status === 'stopping';
  return (
    <ActionButton
      color="danger"
      variant={force ? 'filled' : 'light'}
      size="compact-sm"
      leftSection={<IconPlayerStop size={15} />}
      refused={mayRun ? null : t('role.read_only')}
      loading={stop.isPending}
      onClick={() =>
        stop.mutate({
          params: { project_id: task.project_id, task_id: task.id },
          body: { force },
        })
      }
    >
      {force ? t('task.force_stop') : t('task.stop')}
    </ActionButton>
  );
}

function Download({ task }: Pick<Props, 'task'>) {
  const { t } = useTranslation();
  const params = { project_id: task.project_id, task_id: task.id };
  return (
    <Button
      component="a"
      href={pathOf(tasks.text, { params })}
      download
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={15} />}
    >
      {t('task.download')}
    </Button>
  );
}

function CopyLink() {
  const { t } = useTranslation();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t('task.link_copied'));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      toastError(t('common.cannot_copy', { reason }));
    }
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconLink size={15} />}
      onClick={() => void copy()}
    >
      {t('task.copy_link')}
    </Button>
  );
}
