import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import type { ShownFailure } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { failureWords } from '../../../lib/error-words.ts';
import { OutcomeIcon } from '../results/outcome.tsx';
import { toHost, toLine } from '../results/run-address.ts';
import { FileLine } from '../results/task-source.tsx';
import { runQueries } from '../run.queries.ts';
import { type Advice, adviceOf, lastWords } from './advice.ts';
import { firstError } from './first-error.ts';
import classes from './why-failed.module.css';

interface Props {
  task: WholeTask;
  /** Whether no earlier comparable task has succeeded. */
  hasNeverWorked: boolean;
}

export function WhyFailed({ task, hasNeverWorked }: Props) {
  const { isLoading, groups, end } = useWhyFailed(task);
  if (isLoading) return null;
  if (groups.length === 0 && !task.failure) return null;
  return (
    <section
      className={`grid one-column gap-6 flex-none gutter border-bottom overflow-auto focus-inside ${classes.box}`}
      aria-label={t('run.why.title')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      tabIndex={0}
    >
      <div className="flex wrap baseline" style={{ columnGap: 16 }}>
        <h2 className="row gap-8 small weight-620 color-danger">
          <IconAlertTriangle size={16} aria-hidden="true" />
          {t('run.why.title')}
        </h2>
        {hasNeverWorked && <p className="soft smaller">{t('task.changes.never')}</p>}
      </div>
      {groups.length > 0 ? (
        <FailureGroups groups={groups} />
      ) : (
        <FailureReason task={task} end={end} />
      )}
    </section>
  );
}

const MAX_SHOWN = 3;
const MAX_HOSTS = 4;

/** The failures by their cause, unreachable hosts last. */
function FailureGroups({ groups }: { groups: ShownFailure[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const sorted = groups.toSorted((one, other) => rank(one) - rank(other));
  return (
    <>
      <ul className="grid one-column gap-6">
        {sorted.slice(0, isWhole ? sorted.length : MAX_SHOWN).map((group) => (
          <li key={group.result} className={`flex items-start gap-8 ${classes.group}`}>
            <OutcomeIcon state={group.state} />
            <Group group={group} />
          </li>
        ))}
      </ul>
      {sorted.length > MAX_SHOWN && (
        <button
          type="button"
          className="small link-button"
          style={{ justifySelf: 'start' }}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t('run.why.fewer') : t('run.why.all', { count: sorted.length })}
        </button>
      )}
    </>
  );
}

const rank = ({ state }: ShownFailure): number => (state === 'unreachable' ? 1 : 0);

function Group({ group }: { group: ShownFailure }) {
  const { task, message, line, hosts, host_count: count } = group;
  const rest = count - Math.min(hosts.length, MAX_HOSTS);
  const [first = ''] = hosts;
  const words = message || t(`task.hosts.${group.state}`);
  return (
    <div className="min-w-0">
      <p className="three-lines">
        <b className="break">{hosts.slice(0, MAX_HOSTS).join(', ')}</b>
        {rest > 0 && ` ${t('log.outline.more', { count: rest })}`}
        {': '}
        <Link
          to="."
          search={line === null ? toHost(first) : toLine(line)}
          resetScroll={false}
          className="break"
          title={words}
        >
          {words}
        </Link>
      </p>
      <p className="flex wrap smaller soft" style={{ columnGap: 12 }}>
        {group.state === 'unreachable' && <span>{t('task.hosts.unreachable')}</span>}
        {task && <span className="break">{t('log.outline.task', { name: task })}</span>}
        <FileLine task={group} />
      </p>
    </div>
  );
}

/** How many of the last lines are quoted. */
const linesQuoted = 10;

/** The failure of the whole run, a suggestion, and a quote of the log from its first error on. */
function FailureReason({ task, end }: { task: WholeTask; end: string }) {
  const { failure } = task;
  if (!failure) return null;
  const lines = lastWords(end, failure.text, linesRead);
  const advice = adviceOf(failure, lines);
  const found = errorInLog(task, advice, lines);
  const quote = quoteOf(task, lines, found?.from ?? -linesQuoted);
  const sentence = failureWords(failure);
  return (
    <>
      <p className="weight-550 break pre-wrap">{found?.headline ?? sentence}</p>
      {found && <p className="smaller soft">{sentence}</p>}
      {advice && (
        <p>
          {adviceWords(advice)} <WayTo advice={advice} task={task} />
        </p>
      )}
      {quote.length > 0 && (
        <figure className="min-w-0">
          <figcaption className="smaller soft">
            {t(found ? 'run.why.from_error' : 'run.why.last_lines')}
          </figcaption>
          <blockquote>
            <pre className={`smaller font-mono bg-log ${classes.quote}`}>{quote.join('\n')}</pre>
          </blockquote>
        </figure>
      )}
    </>
  );
}

/** The first error in the log of a failure that has only an exit code; null if none is found. */
function errorInLog(
  { launched_with: { limit }, failure }: WholeTask,
  advice: Advice | null,
  lines: string[],
) {
  if (failure?.code !== 'failure.exit_code') return null;
  const first = firstError(lines);
  if (advice !== 'limit') return first;
  return { from: first?.from ?? 0, headline: t('run.why.limit', { limit }) };
}

/**
 * The quoted lines; none if they are the whole log, which is shown below, or the headline alone.
 */
function quoteOf({ log_lines: count }: Task, lines: string[], from: number): string[] {
  const quote = lines.slice(from).slice(0, linesQuoted);
  const isHeadline = from >= 0 && quote.length === 1;
  return quote.length < count && !isHeadline ? quote : [];
}

/** The text of the suggestion, with the names of screens and fields in the console. */
const adviceWords = (advice: Advice): string =>
  t(`run.advice.${advice}`, {
    time_limit: t('template.more.timeout_s'),
    memory_limit: t('template.more.memory_limit_mib'),
    process_limit: t('template.more.process_limit'),
    file: t('template.form.file.ansible'),
    vaults: t('template.form.vaults'),
    survey: t('template.form.survey'),
    host_keys: t('host_key.title'),
    repositories: t('shell.repositories'),
    inventory: t('shell.inventory'),
    keys: t('shell.keys'),
    execution_environments: t('shell.execution_environments'),
    runners: t('admin.runners'),
    health: t('admin.health'),
  });

const ofTemplate: readonly Advice[] = [
  'limit',
  'timeout',
  'memory_limit',
  'process_limit',
  'unanswered',
  'playbook',
  'vault',
];
const ofRepository: readonly Advice[] = [
  'repository',
  'role',
  'collection',
  'syntax',
  'missing_file',
];

/** The lists of the project in which one can follow the advice. */
const ways: Partial<Record<Advice, { to: string; words: WayWords }>> = {
  repository: { to: 'repositories', words: 'shell.repositories' },
  host_key: { to: 'repositories?hosts=true', words: 'host_key.title' },
  inventory: { to: 'inventory', words: 'shell.inventory' },
  hosts_beyond: { to: 'inventory', words: 'shell.inventory' },
  execution_environment: {
    to: 'execution-environments',
    words: 'shell.execution_environments',
  },
};
type WayWords =
  | 'host_key.title'
  | 'shell.execution_environments'
  | 'shell.inventory'
  | 'shell.repositories';

function WayTo({ advice, task }: { advice: Advice; task: Task }) {
  const { project_id: projectId, template_id: templateId, tpl_alias: name } = task;
  if (ofTemplate.includes(advice)) {
    return (
      <Link
        to="/project/$projectId/templates/$templateId"
        params={{ projectId, templateId }}
        search={{ edit: templateId }}
      >
        {name}
      </Link>
    );
  }
  const way = ofRepository.includes(advice) ? ways.repository : ways[advice];
  if (way === undefined) return null;
  const to: string = `/project/${projectId}/${way.to}`;
  return <Link to={to}>{t(way.words)}</Link>;
}

/** More than are shown, because some lines are empty. */
const linesRead = 30;

interface FailureCauses {
  isLoading: boolean;
  groups: ShownFailure[];
  /** The end of the log; empty if there are groups, or if the log has no more than the failure. */
  end: string;
}

export function useWhyFailed(task: Task): FailureCauses {
  const { status, progress, failure } = task;
  const isFailed = status === 'error';
  const failures = useQuery({
    ...runQueries.failures(task),
    enabled: isFailed && progress !== null,
  });
  const groups = failures.data ?? [];
  const hasGroups = failures.isLoading || groups.length > 0;
  // The log of a failed preparation contains only the failure.
  const hasEnd = task.log_lines > 0 && failure !== null && failure.code !== 'failure.preparation';
  const last = useQuery({
    ...runQueries.lastLines(task, linesRead),
    enabled: isFailed && !hasGroups && hasEnd,
  });
  return {
    isLoading: failures.isLoading || last.isLoading,
    groups,
    end: hasGroups ? '' : (last.data ?? ''),
  };
}
