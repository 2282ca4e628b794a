import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { kindOf } from '#shared/apps.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { span } from '../../../lib/time.ts';
import { ListLink } from '../../../resources/links.tsx';
import { LaunchedBy } from '../../../ui/page/launched-by.tsx';
import { answersText, hostNames } from '../launch-texts.ts';
import { TaskLink, TaskVersion } from '../task-link.tsx';
import classes from './task-facts.module.css';

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

/** The length in characters up to which a text is shown in full. */
const shortText = 24;

/** The options of the task, whatever set them; of secret answers only the names. */
function LaunchFacts({ task }: { task: WholeTask }) {
  const { project_id: projectId, launched_with: used } = task;
  const texts = [
    [t('new_task.branch'), used.branch],
    [t('new_task.limit'), used.limit],
    [t('new_task.tags'), used.tags],
    [t('new_task.skip_tags'), used.skip_tags],
    [t('new_task.arguments'), used.arguments.join(' ')],
    [t('launch.answers'), answersText(task.environment)],
    [t('launch.secret_answers'), task.secret_answers.join(', ')],
  ] as const;
  return (
    <>
      {used.inventory && (
        <Fact name={t('template.column.inventory')}>
          <Resource projectId={projectId} list="inventory" name={used.inventory.name} />
        </Fact>
      )}
      {used.environments.length > 0 && (
        <Fact name={t('template.column.environment')} isLong>
          {used.environments.map((one, index) => (
            <span key={index}>
              {index > 0 && ', '}
              <Resource projectId={projectId} list="environment" name={one.name} />
            </span>
          ))}
        </Fact>
      )}
      {used.execution_environment && (
        <Fact name={t('execution_environment.one')} isLong>
          <ListLink
            projectId={projectId}
            list="execution-environments"
            name={used.execution_environment.name}
          />{' '}
          <span className="soft">
            {t(`execution_environment.kind.${used.execution_environment.kind}`)}
          </span>
        </Fact>
      )}
      {texts.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name} isLong={text.length > shortText}>
              <code title={text}>{text}</code>
            </Fact>
          ),
      )}
      <Options task={task} />
    </>
  );
}

interface ResourceProps {
  projectId: number;
  list: 'inventory' | 'environment';
  /** Null after a deletion. */
  name: string | null;
}

const Resource = ({ name, ...list }: ResourceProps) =>
  name === null ? t('task.fact.deleted') : <ListLink {...list} name={name} />;

const optionNames = ['dry_run', 'diff', 'debug', 'auto_approve'] as const;

function Options({ task }: { task: WholeTask }) {
  const words = {
    dry_run: t(kindOf(task.tpl_app) === 'terraform' ? 'new_task.plan_only' : 'new_task.dry_run'),
    diff: t('new_task.diff'),
    debug: [t('new_task.debug'), verbosity(task)].filter(Boolean).join(' '),
    auto_approve: t('new_task.auto_approve'),
  };
  const chosen = optionNames.filter((name) => task[name]).map((name) => words[name]);
  if (chosen.length === 0) return null;
  return <Fact name={t('new_task.options')}>{chosen.join(', ')}</Fact>;
}

/** The verbosity option of Ansible for the debug level; empty for the default. */
const verbosity = ({ debug_level: level }: WholeTask): string =>
  level > 0 ? `-${'v'.repeat(level)}` : '';

interface FactProps {
  name: string;
  isLong?: boolean;
  children: ReactNode;
}

function Fact({ name, isLong = false, children }: FactProps) {
  return (
    <div
      className={`flex gap-6 min-w-0 max-w-full ${classes.fact}`}
      data-long={isLong || undefined}
    >
      <dt className="flex-none soft">{name}</dt>
      <dd className="cut">{children}</dd>
    </div>
  );
}
