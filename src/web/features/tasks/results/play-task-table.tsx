import { Link } from '@tanstack/react-router';
import type { PlayTask } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { type ScrollPosition, WindowedTable } from '../../../ui/lists/windowed-table.tsx';
import { CountCells, CountHeads, CountLine, countWidth, OutcomeIcon } from './outcome.tsx';
import { type TaskItem, worstOf } from './outcomes.ts';
import { toSection } from './run-address.ts';
import classes from './run-table.module.css';
import { FileLine, ModuleName } from './task-source.tsx';
import { spanWords, TimeSpan } from './time-span.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { counts as countColumns } from '../outline/outline.ts';

const wide = `minmax(200px, 2fr) repeat(${countColumns.length}, ${countWidth}) minmax(90px, 1fr) 96px`;

interface Props {
  items: TaskItem[];
  place: ScrollPosition;
  /** Whether each task has the name of its play, because the list has no headings. */
  withPlays: boolean;
}

export function PlayTaskTable({ items, place, withPlays }: Props) {
  const isNarrow = useIsNarrow();
  const longestMs = Math.max(1, ...items.map(({ task }) => task?.duration_ms ?? 0));
  return (
    <WindowedTable
      label={t('run.tasks_label')}
      rows={items}
      rowKey={keyOf}
      rowHeight={isNarrow ? 58 : 38}
      columns={isNarrow ? 'minmax(0, 1fr)' : wide}
      head={isNarrow ? null : <Heads />}
      kindOf={({ task }) => (task ? undefined : 'group')}
      renderRow={({ task, play }) => {
        if (!task) return <PlayName name={play} />;
        const shown = { task, longestMs, play: withPlays ? play : '' };
        return isNarrow ? <NarrowRow {...shown} /> : <WideRow {...shown} />;
      }}
      place={place}
    />
  );
}

const keyOf = ({ section, task }: TaskItem): string => `${task ? 'task' : 'play'} ${section}`;

function Heads() {
  return (
    <>
      <th scope="col">{t('task.column.task')}</th>
      <CountHeads />
      <th scope="col" className={`min-w-0 smaller cut ${classes.source}`}>
        {t('run.file')}
      </th>
      <th scope="col" className="small nowrap text-end">
        {t('task.column.duration')}
      </th>
    </>
  );
}

function PlayName({ name }: { name: string }) {
  const words = t('log.outline.play', { name: name || t('log.outline.unnamed') });
  return (
    <td className="small cut full-row" title={words}>
      {words}
    </td>
  );
}

interface RowProps {
  task: PlayTask;
  longestMs: number;
  /** Empty below the heading of the play. */
  play: string;
}

function WideRow({ task, longestMs, play }: RowProps) {
  return (
    <>
      <td className={`row gap-8 min-w-0 ${classes.name}`}>
        <OutcomeIcon state={worstOf(task)} />
        <span className={`flex baseline gap-8 min-w-0 ${classes.what}`}>
          <TaskName task={task} />
          {play && <span className={`min-w-0 smaller soft cut ${classes.module}`}>{play}</span>}
          <ModuleName task={task} />
        </span>
      </td>
      <CountCells counts={task} />
      <td className={`min-w-0 smaller cut ${classes.source}`}>
        <FileLine task={task} />
      </td>
      <td className="grid gap-3 small text-end">
        <TimeSpan ms={task.duration_ms} />
        <Share ms={task.duration_ms} longestMs={longestMs} />
      </td>
    </>
  );
}

function NarrowRow({ task, longestMs }: RowProps) {
  return (
    <td className={`grid gap-2 min-w-0 ${classes.narrow}`}>
      <span className={`row gap-8 min-w-0 ${classes.name}`}>
        <OutcomeIcon state={worstOf(task)} />
        <TaskName task={task} />
        <TimeSpan ms={task.duration_ms} />
      </span>
      <span className="row gap-12 min-w-0" style={{ paddingLeft: 24 }}>
        <CountLine counts={task} />
        <FileLine task={task} />
      </span>
      <Share ms={task.duration_ms} longestMs={longestMs} />
    </td>
  );
}

function TaskName({ task: { name, section } }: { task: PlayTask }) {
  const words = name || t('log.outline.unnamed');
  return (
    <Link to="." search={toSection(section)} resetScroll={false} className="cut" title={words}>
      {words}
    </Link>
  );
}

/** Compares the duration with that of the slowest task; the number is beside it. */
function Share({ ms, longestMs }: { ms: number; longestMs: number }) {
  return (
    <span className={classes.track} aria-hidden="true" title={spanWords(ms)}>
      <span
        className={`block ml-auto ${classes.bar}`}
        hidden={ms === 0}
        style={{ width: `${(ms / longestMs) * 100}%` }}
      />
    </span>
  );
}
