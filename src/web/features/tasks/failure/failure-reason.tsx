import { Link } from '@tanstack/react-router';
import type { Task } from '#shared/api/tasks.ts';
import { t, useTranslation } from '../../../lib/i18n.ts';
import { failureWords } from '../../../lib/error-words.ts';
import { type Advice, adviceOf, lastWords } from './advice.ts';
import { linesRead } from './use-why-failed.ts';
import classes from './why-failed.module.css';

/** How many of the last lines are quoted. */
const linesQuoted = 10;

/** The sentence about a failure of the whole run, what to do, and the end of the log as a quote. */
export function FailureReason({ task, end }: { task: Task; end: string }) {
  const { t: words } = useTranslation();
  const { failure } = task;
  if (!failure) return null;
  const lines = lastWords(end, failure.text, linesRead);
  const advice = adviceOf(failure, lines);
  return (
    <>
      <p className={classes.sentence}>{failureWords(failure)}</p>
      {advice && (
        <p>
          {adviceWords(advice)} <WayTo advice={advice} task={task} />
        </p>
      )}
      {lines.length > 0 && (
        <figure className={classes.quote}>
          <figcaption className={classes.where}>{words('run.why.last_lines')}</figcaption>
          <blockquote>
            <pre>{lines.slice(-linesQuoted).join('\n')}</pre>
          </blockquote>
        </figure>
      )}
    </>
  );
}

/** The advice, which names screens and fields as the console does. */
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

/** A link to the screen that the advice names. */
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
