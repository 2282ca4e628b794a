import { Link } from '@tanstack/react-router';
import type { PlayTask, RunHost } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { RowCheckbox } from '../../../ui/lists/row-checkbox.tsx';
import { type ScrollPosition, WindowedTable } from '../../../ui/lists/windowed-table.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { CountCells, CountHeads, CountLine, countTracks, OutcomeIcon } from './outcome.tsx';
import { type TaskItem, worstOf } from './outcomes.ts';
import { toHost, toSection } from './run-address.ts';
import { spanWords, TimeSpan } from './time-span.tsx';
import { FileLine, ModuleName } from './task-source.tsx';
import classes from './run-table.module.css';

interface Props {
  hosts: RunHost[];
  place: ScrollPosition;
  /** The names of the selected hosts; null if hosts cannot be selected. */
  chosen: ReadonlySet<string> | null;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

const wide = `minmax(160px, 1fr) ${countTracks} minmax(80px, 1.5fr) 96px`;

export function HostTable({ hosts, place, chosen, onChoose }: Props) {
  const isNarrow = useIsNarrow();
  return (
    <WindowedTable
      label={t('task.hosts.label')}
      rows={hosts}
      rowKey={({ host }) => host}
      rowHeight={isNarrow ? 58 : 38}
      columns={isNarrow ? 'minmax(0, 1fr)' : wide}
      head={isNarrow ? null : <Heads />}
      renderRow={(host) => {
        const row = { host, chosen, onChoose };
        return isNarrow ? <NarrowRow {...row} /> : <WideRow {...row} />;
      }}
      place={place}
    />
  );
}

function Heads() {
  return (
    <>
      <th scope="col">{t('task.hosts.host')}</th>
      <CountHeads />
      <th scope="col" className={`flex min-w-0 small ${classes.failure}`}>
        {t('run.first_failure')}
      </th>
      <th scope="col" className="small nowrap text-end">
        {t('task.column.duration')}
      </th>
    </>
  );
}

type RowProps = { host: RunHost } & Pick<Props, 'chosen' | 'onChoose'>;

function WideRow(props: RowProps) {
  const { host } = props;
  return (
    <>
      <td className={`row gap-8 min-w-0 ${classes.name}`}>
        <HostName {...props} />
      </td>
      <CountCells counts={host} />
      <td className={`flex min-w-0 small ${classes.failure}`}>
        <FirstFailure host={host} />
      </td>
      <td className="small nowrap text-end">
        <TimeSpan ms={host.duration_ms} />
      </td>
    </>
  );
}

function NarrowRow(props: RowProps) {
  const { host } = props;
  return (
    <td className={`grid gap-2 min-w-0 ${classes.narrow}`}>
      <span className={`row gap-8 min-w-0 ${classes.name}`}>
        <HostName {...props} />
        <TimeSpan ms={host.duration_ms} />
      </span>
      <span className="row gap-12 min-w-0" style={{ paddingLeft: 24 }}>
        <CountLine counts={host} />
        <span className={`flex min-w-0 small ${classes.failure}`}>
          <FirstFailure host={host} />
        </span>
      </span>
    </td>
  );
}

function HostName({ host, chosen, onChoose }: RowProps) {
  const { host: name } = host;
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChoose(next);
  };
  return (
    <>
      {chosen && (
        <RowCheckbox
          label={t('run.choose', { name })}
          checked={chosen.has(name)}
          onChange={toggle}
        />
      )}
      <OutcomeIcon state={worstOf(host)} />
      <Link to="." search={toHost(host.host)} resetScroll={false} className="cut" title={host.host}>
        {host.host}
      </Link>
    </>
  );
}

function FirstFailure({ host: { first_failure: failure } }: { host: RunHost }) {
  if (!failure) return null;
  const { task, message } = failure;
  return (
    <span className="cut" title={`${task}\n${message}`}>
      {task && <span className="soft">{task}: </span>}
      {message}
    </span>
  );
}

const wideTask = `minmax(200px, 2fr) ${countTracks} minmax(90px, 1fr) 96px`;

interface TaskTableProps {
  items: TaskItem[];
  place: ScrollPosition;
  /** Whether each task has the name of its play, because the list has no headings. */
  withPlays: boolean;
}

export function PlayTaskTable({ items, place, withPlays }: TaskTableProps) {
  const isNarrow = useIsNarrow();
  const longestMs = Math.max(1, ...items.map(({ task }) => task?.duration_ms ?? 0));
  return (
    <WindowedTable
      label={t('run.tasks_label')}
      rows={items}
      rowKey={keyOf}
      rowHeight={isNarrow ? 58 : 38}
      columns={isNarrow ? 'minmax(0, 1fr)' : wideTask}
      head={isNarrow ? null : <TaskHeads />}
      kindOf={({ task }) => (task ? undefined : 'group')}
      renderRow={({ task, play }) => {
        if (!task) return <PlayName name={play} />;
        const shown = { task, longestMs, play: withPlays ? play : '' };
        return isNarrow ? <NarrowTask {...shown} /> : <WideTask {...shown} />;
      }}
      place={place}
    />
  );
}

const keyOf = ({ section, task }: TaskItem): string => `${task ? 'task' : 'play'} ${section}`;

function TaskHeads() {
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

interface TaskRowProps {
  task: PlayTask;
  longestMs: number;
  /** Empty below the heading of the play. */
  play: string;
}

function WideTask({ task, longestMs, play }: TaskRowProps) {
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

function NarrowTask({ task, longestMs }: TaskRowProps) {
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
