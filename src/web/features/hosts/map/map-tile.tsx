import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { t } from '../../../lib/i18n.ts';
import classes from './host-map.module.css';
import type { MapGroup } from './map-model.ts';
import {
  columnsFor,
  indexAfter,
  indexAt,
  type MapShape,
  PITCH,
  positionOf,
  shapesOf,
  SIZE,
} from './map-shapes.ts';

export interface TileProps {
  projectId: number;
  group: MapGroup;
  width: number;
  /** The square under the pointer or with the focus; null: in another group. */
  active: number | null;
  /** Whether the active square takes the focus. */
  isFocused: boolean;
  wordsOf: (host: MapGroup['hosts'][number]) => string;
  onPoint: (index: number) => void;
  /** Moves the focus, perhaps beyond the group: -1 is the group before. */
  onMove: (index: number) => void;
}

/** A group of hosts: one drawing, and a link over the active square. */
export function MapTile({ group, width, active, onPoint, ...props }: TileProps) {
  const { hosts } = group;
  const columns = columnsFor(hosts.length, width);
  const shapes = useMemo(() => shapesOf(hosts, columns), [hosts, columns]);
  const rows = Math.ceil(hosts.length / columns);
  const onPointer = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const index = indexAt(clientX - left, clientY - top, columns, hosts.length);
    if (index !== null && index !== active) onPoint(index);
  };
  return (
    <section
      className={classes.tile}
      style={{ maxWidth: width, containIntrinsicSize: `auto ${rows * PITCH + 44}px` }}
      aria-label={titleOf(group)}
    >
      <TileHead group={group} />
      <div className="relative" style={{ width: columns * PITCH }} onPointerMove={onPointer}>
        <Squares shapes={shapes} width={columns * PITCH} height={rows * PITCH} />
        {active !== null && (
          <ActiveLink {...props} group={group} index={active} columns={columns} />
        )}
      </div>
    </section>
  );
}

const titleOf = ({ name, kind }: MapGroup): string => (kind === 'none' ? t('host.map.none') : name);

function TileHead({ group }: { group: MapGroup }) {
  const { hosts, bad, kind } = group;
  return (
    <h2 className="flex wrap baseline small gap-2-8">
      <span className="weight-600 break">{titleOf(group)}</span>
      {kind === 'inventory' && <span className="soft">{t('host.map.inventory')}</span>}
      <span className="soft weight-400 numbers">
        {t('host.map.count', { count: hosts.length })}
      </span>
      {bad > 0 && (
        <span className="color-danger weight-550 numbers">{t('host.map.bad', { count: bad })}</span>
      )}
    </h2>
  );
}

interface SquaresProps {
  shapes: MapShape[];
  width: number;
  height: number;
}

const Squares = memo(function Squares({ shapes, width, height }: SquaresProps) {
  return (
    <svg className="block" width={width} height={height} aria-hidden="true">
      {shapes.map(({ result, squares, signs }) => (
        <g key={result} data-outcome={result}>
          <path className={classes.square} d={squares} />
          {signs !== '' && <path className={classes.mark} d={signs} />}
        </g>
      ))}
    </svg>
  );
});

type LinkProps = Pick<TileProps, 'projectId' | 'group' | 'wordsOf' | 'onMove' | 'isFocused'> & {
  index: number;
  columns: number;
};

function ActiveLink({ projectId, group, index, columns, wordsOf, onMove, isFocused }: LinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const host = group.hosts[index];
  const name = host?.name;
  useEffect(() => {
    if (isFocused && name !== undefined) link.current?.focus();
  }, [name, isFocused]);
  if (!host) return null;
  const { x, y } = positionOf(index, columns);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, index, columns);
    if (next === null) return;
    event.preventDefault();
    onMove(next);
  };
  return (
    <Link
      // Another element for each host, so that screen readers read its name.
      key={host.name}
      ref={link}
      to="/project/$projectId/hosts/$host"
      params={{ projectId, host: host.name }}
      className={`absolute ${classes.active}`}
      style={{ left: x, top: y, width: SIZE, height: SIZE }}
      aria-label={wordsOf(host)}
      onKeyDown={onKeyDown}
    />
  );
}
