import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, type PointerEvent, useMemo } from 'react';
import type { RunHost } from '#shared/api/run-results.ts';
import { spanWords } from '../results/time-span.tsx';
import { OutcomeIcon } from '../results/outcome.tsx';
import { isBad, worstOf } from '../results/outcomes.ts';
import { addressOf, barWords, countWords, laneName, type TaskNames } from './lane-words.ts';
import { barsOf, countsOf, type Lane } from './lanes.ts';
import type { Bar, ResultColumns } from './result-columns.ts';
import {
  barAt,
  laneHeight,
  extentOf,
  type Scale,
  type Shape,
  shapesOf,
  stackOf,
} from './shapes.ts';
import classes from './timeline.module.css';

export interface LaneRowProps {
  lane: Lane;
  columns: ResultColumns;
  names: TaskNames;
  scale: Scale;
  /** The lines of the ticks behind the bars. */
  ticks: CSSProperties;
  /** The start of the run, in milliseconds since the epoch. */
  start: number;
  /** The index of the bar under the pointer or with the focus; null: it is in another lane. */
  current: number | null;
  onPoint: (key: string, bar: number) => void;
}

/** The cells of a lane: its name and its bars. */
export const LaneRow = memo(function LaneRow(props: LaneRowProps) {
  const { lane, columns, scale, ticks, current, onPoint } = props;
  const bars = useMemo(() => barsOf(lane, columns), [lane, columns]);
  const pointTo = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const index = barAt(bars, x, scale);
    if (index >= 0) onPoint(lane.key, index);
  };
  return (
    <>
      <LaneHead lane={lane} />
      <td
        className={`relative overflow-hidden ${classes.chart}`}
        style={ticks}
        onPointerMove={pointTo}
        onPointerDown={pointTo}
      >
        <svg
          className="block"
          width={scale.width}
          height={laneHeight}
          data-kind={lane.kind}
          aria-hidden="true"
        >
          {drawn(lane, bars, scale).map(({ state, path }) => (
            <path key={state} data-state={state} d={path} />
          ))}
        </svg>
        <LaneText {...props} bars={bars} />
        {current !== null && <CurrentBar {...props} bars={bars} index={current} />}
      </td>
    </>
  );
});

function drawn(lane: Lane, bars: readonly Bar[], scale: Scale): Shape[] {
  const [bar] = bars;
  return lane.kind === 'task' && bar ? stackOf(bar, lane.task, scale) : shapesOf(bars, scale);
}

// Zooming changes no name: only the bars are drawn again.
const LaneHead = memo(function LaneHead({ lane }: { lane: Lane }) {
  const name = laneName(lane);
  const address = addressOf(lane, undefined);
  const counts = countsOf(lane);
  return (
    <th scope="row" className={`row gap-8 min-w-0 small ${classes.name}`}>
      {counts && <OutcomeIcon state={worstOf(counts)} />}
      {address ? (
        <Link to="." search={address} resetScroll={false} className="cut" title={name}>
          {name}
        </Link>
      ) : (
        <span className="cut" title={name}>
          {name}
        </span>
      )}
    </th>
  );
});

type BarsProps = LaneRowProps & { bars: readonly Bar[] };

/** The width in pixels for the text beside a bar. */
const textRoom = 120;

/** Failures and duration beside the bar; the bars of a host are told by a sentence for screen readers. */
function LaneText({ lane, bars, scale }: BarsProps) {
  const [bar] = bars;
  if (lane.kind === 'host') return <HostText host={lane.host} />;
  const extent = bar && extentOf(bar, scale);
  if (!bar || !extent) return null;
  const right = extent.x + extent.width;
  // After the bar, else before it, else over its end.
  const isAfter = right + textRoom < scale.width;
  const isInside = !isAfter && extent.x < textRoom;
  const end = isInside ? Math.min(right, scale.width) : extent.x;
  const bad = lane.kind === 'task' ? lane.task.failed + lane.task.unreachable : 0;
  return (
    <span
      className={`absolute row gap-6 smaller nowrap ${classes.text}`}
      data-inside={isInside || undefined}
      style={isAfter ? { left: right + 6 } : { right: scale.width - end + 6 }}
    >
      {bad > 0 && (
        <b className="row gap-2 numbers color-danger" aria-hidden="true">
          <OutcomeIcon state={isBad(bar.state) ? bar.state : 'failed'} />
          {bad}
        </b>
      )}
      <span className="numbers soft">{spanWords(bar.end - bar.begin)}</span>
    </span>
  );
}

const HostText = memo(function HostText({ host }: { host: RunHost }) {
  return <span className="visually-hidden">{countWords(host)}</span>;
});

/** A real link over the bar under the pointer or with the focus. */
function CurrentBar({ lane, bars, index, scale, start, names }: BarsProps & { index: number }) {
  const bar = bars[index];
  const extent = bar && extentOf(bar, scale);
  const address = addressOf(lane, bar);
  if (!bar || !extent || !address) return null;
  const words = barWords(lane, bar, start, names);
  return (
    <Link
      to="."
      search={address}
      resetScroll={false}
      className={`absolute rounded-4 ${classes.current}`}
      data-current
      aria-label={words}
      style={{ left: Math.max(0, extent.x - 3), width: Math.max(12, extent.width + 6) }}
    />
  );
}
