import type { Task } from '#shared/api/tasks.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { Fact } from './fact.tsx';

/** What the task was launched with: what limits it, its arguments, and its answers, of which secret ones have names only. */
export function LaunchFacts({ task }: { task: Task }) {
  const { t } = useTranslation();
  const facts = [
    [t('new_task.limit'), task.limit],
    [t('new_task.tags'), task.tags],
    [t('new_task.skip_tags'), task.skip_tags],
    [t('new_task.branch'), task.git_branch],
    [t('new_task.arguments'), argumentsOf(task)],
    [t('launch.answers'), answersOf(task)],
    [t('launch.secret_answers'), task.secret_answers.join(', ')],
  ] as const;
  return facts.map(
    ([name, text]) =>
      text && (
        <Fact key={name} name={name} isLong>
          <code title={text}>{text}</code>
        </Fact>
      ),
  );
}

const argumentsOf = ({ arguments: text }: Task): string => {
  const given = parsed(text);
  return Array.isArray(given) ? given.join(' ') : '';
};

const answersOf = ({ environment }: Task): string =>
  Object.entries(parsed(environment) ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

/** Null for a text that is no JSON, as that of an older task may be. */
function parsed(text: string | null): object | null {
  try {
    return JSON.parse(text ?? 'null') as object | null;
  } catch {
    return null;
  }
}
