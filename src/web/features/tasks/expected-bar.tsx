import type { Task } from '#shared/api/tasks.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { useNow } from '../../lib/time-text.tsx';
import { span } from '../../lib/time.ts';
import classes from './expected-bar.module.css';

/** The elapsed share of the expected duration, which is computed from earlier tasks. */
export function ExpectedBar({ task }: { task: Pick<Task, 'status' | 'start' | 'expected_s'> }) {
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
      className={`block w-full overflow-hidden ${classes.bar}`}
      aria-label={label}
      max={100}
      value={Math.round(share * 100)}
      title={label}
    />
  );
}
