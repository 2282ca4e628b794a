import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaskChange, TaskChanges as Changes } from '#shared/api/task-changes.ts';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { taskQueries } from '../tasks.queries.ts';
import { ChangedCommits } from './changed-commits.tsx';
import { changedSubject, changedValue, commitWords } from './change-words.ts';
import classes from '../summary.module.css';

/**
 * What has changed since the last success of the template, for a finished task: expanded for a
 * failed one, on request for others.
 */
export function TaskChanges({ task }: { task: Task }) {
  const [opened, setOpened] = useState(false);
  const isFailed = task.status === 'error';
  const { data, error, refetch } = useQuery({
    ...taskQueries.changes(task.project_id, task.id),
    enabled: isFailed || opened,
  });
  // `WhyFailed` has the same message.
  if (isFailed && data?.since === null) return null;
  const { since, changes = [] } = data ?? {};
  return (
    <details
      className={`flex-none gutter py-4 small border-bottom ${classes.folded}`}
      open={opened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>
        <span className={isFailed ? 'weight-550' : 'soft'}>
          {since ? t('task.changes.title', { id: since.id }) : t('task.changes.ask')}
        </span>
        {since && <Outline changes={changes} />}
      </summary>
      {opened && <Opened data={data} error={error} onRetry={() => void refetch()} />}
    </details>
  );
}

interface OpenedProps {
  data: Changes | undefined;
  error: Error | null;
  onRetry: () => void;
}

function Opened({ data, error, onRetry }: OpenedProps) {
  if (data) return <ChangeList data={data} />;
  if (error) return <Failure message={errorWords(error)} onRetry={onRetry} />;
  return <Skeleton width="40%" />;
}

function Outline({ changes }: Pick<Changes, 'changes'>) {
  const [first] = changes;
  const newest = first?.range && first.range.added > 0 ? first.range.commits[0] : undefined;
  if (!first) return <span className="soft">{t('task.changes.nothing')}</span>;
  return (
    <>
      <span className="break">{lineOf(first, changes)}</span>
      {newest && <span className="break">{newest.subject}</span>}
      {changes.length > 1 && (
        <span className="soft">{t('task.changes.further', { count: changes.length - 1 })}</span>
      )}
    </>
  );
}

const isOtherBranch = (changes: TaskChange[]): boolean =>
  changes.some(({ kind, what }) => kind === 'setting' && what === 'branch');

const lineOf = (change: TaskChange, changes: TaskChange[]): string =>
  change.kind === 'commits' ? commitWords(change, isOtherBranch(changes)) : changedSubject(change);

function ChangeList({ data: { since, changes } }: { data: Changes }) {
  if (!since)
    return (
      <p className="soft" style={{ padding: '6px 0 2px' }}>
        {t('task.changes.never')}
      </p>
    );
  if (changes.length === 0)
    return (
      <p className="soft" style={{ padding: '6px 0 2px' }}>
        {t('task.changes.nothing')}
      </p>
    );
  return (
    <ul
      className="grid gap-6 overflow-auto"
      style={{ maxHeight: '34vh', padding: '8px 0 4px' }}
      aria-label={t('task.changes.title', { id: since.id })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      tabIndex={0}
    >
      {changes.map((change) => (
        <li
          key={[change.kind, change.how, change.what, change.before, change.after].join(' ')}
          className="flex wrap baseline gap-2-8"
        >
          {change.kind === 'commits' ? (
            <ChangedCommits change={change} words={lineOf(change, changes)} />
          ) : (
            <Change change={change} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Change({ change }: { change: TaskChange }) {
  const { how, before, after } = change;
  const isShown = before !== null && after !== null;
  return (
    <>
      <span className="weight-550 break">{changedSubject(change)}</span>
      {!isShown && <span className="soft">{t(`task.changes.how.${how}`)}</span>}
      {before !== null && <Value change={change} value={before} isOld />}
      {isShown && <span aria-hidden="true">{'→'}</span>}
      {after !== null && <Value change={change} value={after} />}
    </>
  );
}

interface ValueProps {
  change: TaskChange;
  value: string;
  isOld?: boolean;
}

function Value({ change, value, isOld = false }: ValueProps) {
  const text = <code className="break pre-wrap">{changedValue(change, value)}</code>;
  return isOld ? <del>{text}</del> : <ins>{text}</ins>;
}
