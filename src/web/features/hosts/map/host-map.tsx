import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconSearch, IconServer } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { HostMap as MapData } from '#shared/api/hosts.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { relativeTime } from '../../../lib/time.ts';
import { TimeAgo, useNow } from '../../../lib/time-text.tsx';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { useInnerWidth } from '../../../ui/use-inner-size.ts';
import { type HostFilter, hostQueries } from '../hosts.queries.ts';
import { HostFilters } from '../host-filters.tsx';
import classes from './host-map.module.css';
import {
  countResults,
  groupsOf,
  type MapGroup,
  type MapHost,
  mapResults,
  resultOf,
} from './map-model.ts';
import { shapesOf, SIZE } from './map-shapes.ts';
import { MapTile } from './map-tile.tsx';

interface Props {
  projectId: number;
  filter: HostFilter;
  onFilter: (filter: HostFilter) => void;
  seesInventories: boolean;
  renderTask: (taskId: number) => ReactNode;
}

/** A square for each host by the result of its last run, in the groups of inventories. */
export function HostMap({ projectId, filter, onFilter, seesInventories, renderTask }: Props) {
  const { data, error, refetch } = useQuery({
    ...hostQueries.map(projectId, filter),
    // Keeps the old squares until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const isEmpty = data?.hosts.length === 0;
  if (isEmpty && !isFiltered) {
    return (
      <EmptyState
        icon={<IconServer size={24} />}
        title={t('host.none.title')}
        text={t(seesInventories ? 'host.none.text' : 'host.none.text_guest')}
      />
    );
  }
  return (
    <>
      <HostFilters filter={filter} onFilter={onFilter} isFiltered={isFiltered} />
      {isEmpty && <EmptyState icon={<IconSearch size={24} />} title={t('host.nothing')} />}
      {data && !isEmpty && <Map projectId={projectId} data={data} renderTask={renderTask} />}
      {!data && <div className={`bg-surface border rounded-8 ${classes.map}`} aria-busy="true" />}
    </>
  );
}

interface Active {
  group: number;
  index: number;
  isFocused: boolean;
}

type MapProps = Pick<Props, 'projectId' | 'renderTask'> & { data: MapData };

function Map({ projectId, data, renderTask }: MapProps) {
  const groups = useMemo(() => groupsOf(data), [data]);
  const root = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(root);
  const [active, setActive] = useState<Active>({ group: 0, index: 0, isFocused: false });
  const now = useNow(false);
  const wordsOf = useCallback(
    (host: MapHost) => wordsOfHost(host, data.runs[host.run ?? -1], now),
    [data, now],
  );
  // After another filter, the active square may be gone.
  const at = groups[active.group]?.hosts[active.index] ? active : { ...active, group: 0, index: 0 };
  const host = groups[at.group]?.hosts[at.index];
  return (
    <div className={`bg-surface border rounded-8 ${classes.map}`}>
      <Legend hosts={data.hosts} />
      <Detail host={host} data={data} renderTask={renderTask} />
      {data.has_more && <p className="small soft">{t('host.map.has_more')}</p>}
      <div className={`flex wrap items-start ${classes.tiles}`} ref={root}>
        {width > 0 &&
          groups.map((group, groupIndex) => (
            <MapTile
              key={group.key}
              projectId={projectId}
              group={group}
              width={width}
              active={at.group === groupIndex ? at.index : null}
              isFocused={at.isFocused}
              wordsOf={wordsOf}
              onPoint={(index) => setActive({ group: groupIndex, index, isFocused: false })}
              onMove={(index) =>
                setActive({ ...moved(groups, groupIndex, index), isFocused: true })
              }
            />
          ))}
      </div>
    </div>
  );
}

/** The square at an index of a group, or in the group before or after it. */
function moved(groups: MapGroup[], group: number, index: number): Omit<Active, 'isFocused'> {
  const count = groups[group]?.hosts.length ?? 0;
  if (index >= 0 && index < count) return { group, index };
  const next = group + (index < 0 ? -1 : 1);
  const other = groups[next];
  if (!other) return { group, index: Math.min(Math.max(index, 0), count - 1) };
  return { group: next, index: index < 0 ? other.hosts.length - 1 : 0 };
}

type Run = MapData['runs'][number];

function wordsOfHost(host: MapHost, run: Run | undefined, now: number): string {
  const parts = [host.name, t(`host.outcome.${resultOf(host)}`)];
  if (run) {
    parts.push(`${run.template_name} #${run.task_id}`);
    if (run.end !== null) parts.push(relativeTime(run.end, now, timeTag()));
  }
  return parts.join(', ');
}

/** What the link over the active square says, for people who see. */
function Detail({
  host,
  data,
  renderTask,
}: {
  host: MapHost | undefined;
  data: MapData;
  renderTask: Props['renderTask'];
}) {
  const run = data.runs[host?.run ?? -1];
  return (
    <p className={`flex wrap small gap-2-8 ${classes.detail}`}>
      {host && (
        <>
          <span className="weight-600 cut">{host.name}</span>
          <span>{t(`host.outcome.${resultOf(host)}`)}</span>
        </>
      )}
      {run && (
        <>
          <span className="soft cut">{run.template_name}</span>
          {renderTask(run.task_id)}
          <span className="soft">
            <TimeAgo time={run.end} />
          </span>
        </>
      )}
    </p>
  );
}

function Legend({ hosts }: { hosts: MapHost[] }) {
  const counts = useMemo(() => countResults(hosts), [hosts]);
  return (
    <ul className={`flex wrap smaller gap-4-16 ${classes.legend}`}>
      {mapResults
        .filter((result) => counts.has(result))
        .map((result) => (
          <li key={result} className="row gap-6">
            <Sample result={result} />
            <span className="soft">{t(`host.outcome.${result}`)}</span>
            <span className="weight-600 numbers">
              {t('stats.number', { count: counts.get(result) ?? 0 })}
            </span>
          </li>
        ))}
    </ul>
  );
}

function Sample({ result }: { result: (typeof mapResults)[number] }) {
  const host = { name: '', outcome: result === 'none' ? null : result, run: null, groups: [] };
  return (
    <svg width={SIZE} height={SIZE} aria-hidden="true">
      {shapesOf([host], 1).map(({ squares, signs }) => (
        <g key={result} data-outcome={result}>
          <path className={classes.square} d={squares} />
          <path className={classes.mark} d={signs} />
        </g>
      ))}
    </svg>
  );
}
