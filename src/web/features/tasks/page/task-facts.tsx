import { Link } from '@tanstack/react-router';
import type { OnlyHosts, Task, WholeTask } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { span } from '../../../lib/time.ts';
import { LaunchedBy } from '../../../ui/page/launched-by.tsx';
import { Fact } from './fact.tsx';
import { LaunchFacts } from './launch-facts.tsx';
import classes from './task-facts.module.css';
import { TaskLink, TaskVersion } from '../task-link.tsx';

export function TaskFacts({ task }: { task: WholeTask }) {
  return (
    <dl
      className={`flex wrap min-w-0 small scroll-row ${classes.facts}`}
      data-live={!isFinished(task.status) || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard on small screens
      tabIndex={0}
    >
      <Fact name={t('task.fact.user')}>
        <LaunchedBy projectId={task.project_id} user={task.user_name} launcher={task.launcher} />
      </Fact>
      <Fact name={t('task.fact.start')}>
        <TimeAgo time={task.start} />
      </Fact>
      <Fact name={t('task.fact.duration')}>
        <Duration start={task.start} end={task.end} />
      </Fact>
      {!isFinished(task.status) && task.expected_s !== null && (
        <Fact name={t('task.fact.expected')}>{span(task.expected_s, languageTag)}</Fact>
      )}
      {(task.version ?? task.build_task) && (
        <Fact name={t('task.column.version')}>
          <TaskVersion task={task} />
        </Fact>
      )}
      {task.confirmed_at && (
        <Fact name={t('task.fact.confirmed')}>
          <TimeAgo time={task.confirmed_at} />
        </Fact>
      )}
      {task.attempts > 1 && (
        <Fact name={t('task.fact.attempt')}>
          {t('task.attempt_of', { attempt: task.attempt, attempts: task.attempts })}
          {task.retry_of !== null && (
            <>
              {' · '}
              <TaskLink id={task.retry_of} />
            </>
          )}
        </Fact>
      )}
      {task.rerun_of !== null && (
        <Fact name={t('task.fact.rerun_of')}>
          <TaskLink id={task.rerun_of} />
        </Fact>
      )}
      {task.workflow_run_id !== null && (
        <Fact name={t('workflow.run.part_of')}>
          <Link
            to="/project/$projectId/workflow_runs/$runId"
            params={{ projectId: task.project_id, runId: task.workflow_run_id }}
          >
            {t('workflow.run.title', { id: task.workflow_run_id })}
          </Link>
        </Fact>
      )}
      {task.only_hosts && (
        <Fact name={t('task.fact.only_hosts')} isLong>
          <span title={hostNames(task.only_hosts)}>{hostNames(task.only_hosts)}</span>
        </Fact>
      )}
      <LaunchFacts task={task} />
      {task.runner_name && <Fact name={t('task.fact.runner')}>{task.runner_name}</Fact>}
      <Progress task={task} />
      {task.commit_hash && (
        <Fact name={t('task.fact.commit')} isLong>
          <code title={task.commit_hash}>{task.commit_hash.slice(0, 8)}</code>{' '}
          <span title={task.commit_message}>{task.commit_message}</span>
        </Fact>
      )}
      {task.message && (
        <Fact name={t('task.fact.message')} isLong>
          <span title={task.message}>{task.message}</span>
        </Fact>
      )}
    </dl>
  );
}

const hostNames = ({ names, count }: OnlyHosts): string =>
  names.length < count
    ? `${names.join(', ')}, … (${count.toLocaleString(languageTag)})`
    : names.join(', ');

function Progress({ task: { status, progress } }: { task: Task }) {
  if (!progress || isFinished(status)) return null;
  const { play, task, failed, unreachable } = progress;
  return (
    <>
      <Fact name={t('task.fact.now')} isLong>
        <span title={`${play} · ${task}`}>{[play, task].filter(Boolean).join(' · ')}</span>
      </Fact>
      {failed + unreachable > 0 && (
        <Fact name={t('task.fact.bad_hosts')}>{failed + unreachable}</Fact>
      )}
    </>
  );
}
