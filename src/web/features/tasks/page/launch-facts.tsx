import { Link } from '@tanstack/react-router';
import { kindOf } from '#shared/apps.ts';
import type { WholeTask } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { Fact } from './fact.tsx';

/** The length in characters up to which a text is shown in full. */
const shortText = 24;

/** The options of the task, whatever set them; of secret answers only the names. */
export function LaunchFacts({ task }: { task: WholeTask }) {
  const { project_id: projectId, launched_with: used } = task;
  const texts = [
    [t('new_task.branch'), used.branch],
    [t('new_task.limit'), used.limit],
    [t('new_task.tags'), used.tags],
    [t('new_task.skip_tags'), used.skip_tags],
    [t('new_task.arguments'), used.arguments.join(' ')],
    [t('launch.answers'), answersOf(task)],
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

function Resource({ projectId, list, name }: ResourceProps) {
  if (name === null) return t('task.fact.deleted');
  return (
    <Link to={`/project/$projectId/${list}`} params={{ projectId }} search={{ q: name }}>
      {name}
    </Link>
  );
}

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

const answersOf = ({ environment }: WholeTask): string =>
  Object.entries(parsed(environment) ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

/** Returns null for a text that is no JSON object, which older tasks may have. */
function parsed(text: string): object | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}
