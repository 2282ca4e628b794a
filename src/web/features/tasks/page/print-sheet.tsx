import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import type { RunHost } from '#shared/api/run-results.ts';
import { tasks, type WholeTask } from '#shared/api/tasks.ts';
import { errorWords, failureWords } from '../../../lib/error-words.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { query } from '../../../lib/query.ts';
import { exactTime } from '../../../lib/time.ts';
import { useWhyFailed, WhyFailed } from '../failure/why-failed.tsx';
import { counts } from '../outline/outline.ts';
import { TaskFacts } from './task-facts.tsx';
import { spanWords } from '../results/time-span.tsx';
import { runQueries } from '../run.queries.ts';
import { statusWords } from '../task-status-chip.tsx';
import classes from './print-sheet.module.css';

/** About 150 pages; more lines have to be downloaded. */
const MAX_PRINTED_LINES = 10_000;

interface Props {
  task: WholeTask;
  onDone: () => void;
}

/** A document about a task that only the printer shows: head, reasons, hosts, and the log. */
export function PrintSheet({ task, onDone }: Props) {
  const log = useQuery({
    ...query(tasks.text, {
      params: { project_id: task.project_id, task_id: task.id },
      query: { limit: MAX_PRINTED_LINES },
    }),
    gcTime: 0,
  });
  const hosts = useQuery(runQueries.hosts(task));
  const reasons = useWhyFailed(task);
  usePrinter(!log.isLoading && !hosts.isLoading && !reasons.isLoading, onDone);
  return createPortal(
    <article className={classes.sheet} data-print-sheet>
      <h1>
        {task.tpl_alias} › {t('task.title', { id: task.id })}
      </h1>
      <p>
        {[statusWords(task.status), task.failure && failureWords(task.failure), times(task)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <TaskFacts task={task} />
      {task.status === 'error' && <WhyFailed task={task} hasNeverWorked={false} />}
      {hosts.data && hosts.data.length > 0 && <Hosts hosts={hosts.data} />}
      <h2>{t('log.label')}</h2>
      {log.error ? <p>{errorWords(log.error)}</p> : <pre>{log.data}</pre>}
      {task.log_lines > MAX_PRINTED_LINES && (
        <p>{t('task.print_cut', { shown: MAX_PRINTED_LINES, total: task.log_lines })}</p>
      )}
    </article>,
    document.body,
  );
}

/** Opens the dialog of the printer when the document is whole; `onDone` comes after it. */
function usePrinter(isReady: boolean, onDone: () => void): void {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!isReady) return undefined;
    const onAfter = () => done();
    addEventListener('afterprint', onAfter);
    // The document is laid out first.
    const frame = requestAnimationFrame(() => globalThis.print());
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('afterprint', onAfter);
    };
  }, [isReady]);
}

const times = ({ start, end }: WholeTask): string =>
  [start, end]
    .filter((time) => time !== null)
    .map((time) => exactTime(time, timeTag()))
    .join(' – ');

function Hosts({ hosts }: { hosts: RunHost[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t('task.hosts.host')}</th>
          {counts.map((state) => (
            <th key={state}>{t(`task.hosts.${state}`)}</th>
          ))}
          <th>{t('task.column.duration')}</th>
          <th>{t('run.first_failure')}</th>
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <tr key={host.host}>
            <th scope="row">{host.host}</th>
            {counts.map((state) => (
              <td key={state}>{host[state]}</td>
            ))}
            <td>{spanWords(host.duration_ms)}</td>
            <td>{host.first_failure?.message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
