import { useMemo, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { type ScrollPosition, WindowedTable } from '../../../ui/lists/windowed-table.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';
import { useInnerWidth } from '../../../ui/use-inner-size.ts';
import { FailureRail } from './failure-rail.tsx';
import { LaneRow } from './lane-row.tsx';
import { barWords, type TaskNames } from './lane-words.ts';
import { barsOf, type Lane, type Span } from './lanes.ts';
import { Legend } from './legend.tsx';
import type { ResultColumns } from './result-columns.ts';
import { laneHeight } from './shapes.ts';
import { TimeAxis, tickStyle } from './time-axis.tsx';
import { TimeScroller } from './time-scroller.tsx';
import classes from './timeline.module.css';
import { type Current, useLaneKeys } from './use-lane-keys.ts';
import type { Zoom } from './use-zoom.ts';
import { useZoomWheel } from './use-zoom-wheel.ts';

interface Props {
  lanes: readonly Lane[];
  columns: ResultColumns;
  names: TaskNames;
  /** The whole run. */
  span: Span;
  zoom: Zoom;
  place: ScrollPosition;
  /** The heading of the names. */
  heading: string;
}

/** Lanes over time. The table is what screen readers read, too. */
export function TimelineChart({ lanes, columns, names, span, zoom, place, heading }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(axis);
  const [current, setCurrent] = useState<Current | null>(null);
  const { view } = zoom;
  const scale = useMemo(
    () => ({ from: span.begin + view.from, rate: width / view.span, width }),
    [span.begin, view.from, view.span, width],
  );
  const ticks = useMemo(() => tickStyle(view, width), [view, width]);
  useZoomWheel(box, axis, zoom);
  const onKeyDown = useLaneKeys({
    box,
    lanes,
    columns,
    start: span.begin,
    current,
    setCurrent,
    zoom,
  });
  const [onPoint] = useState(() => (key: string, bar: number) => {
    setCurrent((before) => (before?.key === key && before.bar === bar ? before : { key, bar }));
  });
  const lane = lanes.find(({ key }) => key === current?.key);
  const isNarrow = useIsNarrow();
  const grid = isNarrow ? 'minmax(92px, 34%) minmax(0, 1fr)' : 'minmax(180px, 24%) minmax(0, 1fr)';
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the links and of the table within */}
      <div
        ref={box}
        className={`flex flex-1 min-h-0 relative ${classes.box}`}
        onKeyDown={onKeyDown}
      >
        <WindowedTable
          label={t('timeline.label')}
          rows={lanes}
          rowKey={({ key }) => key}
          rowHeight={laneHeight}
          overscan={4}
          columns={grid}
          head={
            <>
              <th scope="col">{heading}</th>
              <th scope="col" className="relative" aria-label={t('timeline.elapsed')}>
                <TimeAxis axis={axis} view={view} width={width} />
              </th>
            </>
          }
          kindOf={({ kind }) => kind}
          renderRow={(row) => (
            <LaneRow
              lane={row}
              columns={columns}
              names={names}
              scale={scale}
              ticks={ticks}
              start={span.begin}
              current={current?.key === row.key ? current.bar : null}
              onPoint={onPoint}
            />
          )}
          place={place}
        />
        <FailureRail box={box} lanes={lanes} />
      </div>
      <TimeScroller grid={grid} zoom={zoom} width={width} />
      <div className={`gutter border-top flex-none ${classes.foot}`}>
        <Legend />
        <p className="cut small" style={{ minHeight: 20 }}>
          {current && lane ? (
            currentWords(lane, current, { columns, names, start: span.begin })
          ) : (
            <span className="soft">{t('timeline.keys')}</span>
          )}
        </p>
      </div>
    </>
  );
}

function currentWords(
  lane: Lane,
  { bar: index }: Current,
  { columns, names, start }: { columns: ResultColumns; names: TaskNames; start: number },
): string {
  const bar = barsOf(lane, columns)[index];
  return bar ? barWords(lane, bar, start, names) : '';
}
