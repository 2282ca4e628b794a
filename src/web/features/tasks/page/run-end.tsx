import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { IconCopy } from '@tabler/icons-react';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import type { TaskOutput } from '#shared/api/task-outputs.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { numberText, t } from '../../../lib/i18n.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { TaskChanges } from '../changes/task-changes.tsx';
import { useWhyFailed, WhyFailed } from '../failure/why-failed.tsx';
import { taskQueries } from '../tasks.queries.ts';
import classes from '../summary.module.css';

/**
 * How long the changes are awaited, in milliseconds: the server may have to read the repository
 * first.
 */
const MAX_WAIT = 1000;

/**
 * What is above the log of a finished task. It appears at once, because parts that load one by one
 * would each move the log.
 */
export function RunEnd({ task }: { task: WholeTask }) {
  const { isLoading: readsOutputs } = useQuery(taskQueries.outputs(task.project_id, task.id));
  const { isLoading: readsFailures } = useWhyFailed(task);
  const isFailed = task.status === 'error';
  const { data: changes, isLoading: readsChanges } = useQuery({
    ...taskQueries.changes(task.project_id, task.id),
    enabled: isFailed,
  });
  const isLate = useIsLate();
  const awaitsChanges = isFailed && readsChanges && !isLate;
  if (readsOutputs || readsFailures || awaitsChanges) return null;
  return (
    <>
      {isFailed && <WhyFailed task={task} hasNeverWorked={changes?.since === null} />}
      <TaskChanges task={task} />
      <TaskOutputs task={task} />
    </>
  );
}

function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), MAX_WAIT);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** The outputs of a finished task, if it has some. */
function TaskOutputs({ task }: { task: Task }) {
  const { data, error, refetch } = useQuery(taskQueries.outputs(task.project_id, task.id));
  if (error) {
    return (
      <div className="flex-none gutter py-4 small border-bottom">
        <QueryFailure error={error} refetch={refetch} />
      </div>
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <details className={`flex-none gutter py-4 small border-bottom ${classes.folded}`}>
      <summary>
        <span className="soft">{t('task.outputs.title')}</span>
        <span className="soft">{numberText(data.length)}</span>
      </summary>
      <dl
        className="grid gap-4-16 overflow-auto"
        style={{
          gridTemplateColumns: 'fit-content(40%) minmax(0, 1fr)',
          maxHeight: '34vh',
          padding: '6px 0 2px',
        }}
      >
        {data.map((output) => (
          <Output key={output.name} output={output} />
        ))}
      </dl>
    </details>
  );
}

function Output({ output: { name, value, is_secret } }: { output: TaskOutput }) {
  const text = textOf(value);
  return (
    <div
      className="grid items-start full-row"
      style={{ gridTemplateColumns: 'subgrid', lineHeight: '20px' }}
    >
      <dt className="py-4 break">
        <code>{name}</code>
      </dt>
      <dd className="flex items-start gap-6 min-w-0 break" style={{ minHeight: 28 }}>
        {is_secret ? (
          <span className="soft py-4">{t('task.outputs.secret')}</span>
        ) : (
          <>
            <code className="min-w-0 py-4 pre-wrap">{text}</code>
            <IconButton
              label={t('task.outputs.copy', { name })}
              icon={<IconCopy size={16} />}
              onClick={() => void copy(text, t('task.outputs.copied', { name }))}
            />
          </>
        )}
      </dd>
    </div>
  );
}

const textOf = (value: TaskOutput['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
