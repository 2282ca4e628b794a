import { Link } from '@tanstack/react-router';
import type { RunHost } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { type ScrollPosition, WindowedTable } from '../../../ui/lists/windowed-table.tsx';
import { CountCells, CountHeads, CountLine, countWidth, OutcomeIcon } from './outcome.tsx';
import { worstOf } from './outcomes.ts';
import classes from './run-table.module.css';
import { toHost } from './run-address.ts';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { TimeSpan } from './time-span.tsx';
import { counts as countColumns } from '../outline/outline.ts';

interface Props {
  hosts: RunHost[];
  place: ScrollPosition;
  /** The names of the selected hosts; null if hosts cannot be selected. */
  chosen: ReadonlySet<string> | null;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

const wide = `minmax(140px, 1fr) repeat(${countColumns.length}, ${countWidth}) minmax(120px, 2fr) 84px`;

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
        <input
          type="checkbox"
          className="flex-none"
          style={{
            width: 16,
            height: 16,
            margin: 0,
            cursor: 'pointer',
            accentColor: 'var(--accent)',
          }}
          checked={chosen.has(name)}
          aria-label={t('run.choose', { name })}
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
