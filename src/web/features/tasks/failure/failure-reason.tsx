import { Link } from '@tanstack/react-router';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { failureWords } from '../../../lib/error-words.ts';
import { type Advice, adviceOf, lastWords } from './advice.ts';
import { firstError } from './first-error.ts';
import { linesRead } from './use-why-failed.ts';
import classes from './why-failed.module.css';

/** How many of the last lines are quoted. */
const linesQuoted = 10;

/** The failure of the whole run, a suggestion, and a quote of the log from its first error on. */
export function FailureReason({ task, end }: { task: WholeTask; end: string }) {
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
  const project = `/project/${projectId}`;
  const [to, words] = ofRepository.includes(advice)
    ? [`${project}/repositories`, t('shell.repositories')]
    : advice === 'host_key'
      ? [`${project}/repositories?hosts=true`, t('host_key.title')]
      : advice === 'inventory' || advice === 'hosts_beyond'
        ? [`${project}/inventory`, t('shell.inventory')]
        : ['', ''];
  return to === '' ? null : <Link to={to}>{words}</Link>;
}
