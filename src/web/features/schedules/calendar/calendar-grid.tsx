import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { t, timeTag } from '../../../lib/i18n.ts';
import classes from './calendar.module.css';
import { type CalendarAddress, readHours, withHour, writeHours } from './calendar-address.ts';
import { HOUR_HEIGHT, placeRuns } from './calendar-layout.ts';
import { type CalendarColumn, DAY_MINUTES } from './calendar-model.ts';
import { clock, longDay, shortDay } from './calendar-week.ts';
import { DayBands } from './day-bands.tsx';
import { HiddenBlock, RunBlock } from './run-block.tsx';
import { useArrowKeys } from './use-arrow-keys.ts';

interface Props extends CalendarAddress {
  projectId: number;
  columns: CalendarColumn[];
  /** The time of the server. */
  now: string;
  maxLanes: number;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

export function CalendarGrid({ columns, now, ...props }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [hasAllBands, setAllBands] = useState(false);
  const onKeyDown = useArrowKeys(root);
  const maxLoad = Math.max(1, ...columns.flatMap(({ load }) => load));
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move between the links and buttons in it
    <div
      className={`grid bg-surface border rounded-8 ${classes.grid}`}
      style={{ gridTemplateColumns: `56px repeat(${columns.length}, minmax(0, 1fr))` }}
      ref={root}
      onKeyDown={onKeyDown}
    >
      <Corner />
      {columns.map((column) => (
        <DayHead key={column.day} {...props} column={column} isToday={isIn(now, column)} />
      ))}
      <div className={classes.corner} />
      {columns.map((column) => (
        <DayBands
          key={column.day}
          projectId={props.projectId}
          bands={column.bands}
          isOpen={hasAllBands}
          onOpen={() => setAllBands(true)}
        />
      ))}
      <HourNames />
      {columns.map((column) => (
        <DayColumn key={column.day} {...props} column={column} maxLoad={maxLoad}>
          {isIn(now, column) && <NowLine column={column} now={now} />}
        </DayColumn>
      ))}
    </div>
  );
}

const isIn = (time: string, { from, to }: CalendarColumn): boolean => time >= from && time < to;

const Corner = () => <div className={`${classes.corner} ${classes.head}`} />;

const HourNames = () => (
  <div className={`relative numbers ${classes.hours}`} style={{ height: 24 * HOUR_HEIGHT }}>
    {hours.slice(1).map((hour) => (
      <span key={hour} className="absolute soft" style={{ top: hour * HOUR_HEIGHT }}>
        {clock(hour * 60, timeTag())}
      </span>
    ))}
  </div>
);

type ColumnProps = Omit<Props, 'columns' | 'now'> & { column: CalendarColumn };

function DayHead({ column, params, isToday }: ColumnProps & { isToday: boolean }) {
  const { weekday, date } = shortDay(column.day, timeTag());
  const overlapping = column.runs.filter(({ overlaps }) => overlaps.length > 0).length;
  const isOnly = params.day === column.day;
  return (
    <div className={`min-w-0 ${classes.head}`} data-today={isToday || undefined}>
      <Link
        to="."
        search={(search) => ({ ...search, day: isOnly ? undefined : column.day })}
        resetScroll={false}
        className="inline-flex baseline gap-4 color-text no-underline focus-inside"
        aria-label={longDay(column.day, timeTag())}
        aria-current={isToday ? 'date' : undefined}
      >
        <span className="small soft">{weekday}</span>
        <span className={`weight-600 numbers ${classes.date}`}>{date}</span>
      </Link>
      <div className="smallest soft cut numbers">
        {t('schedule.calendar.runs', { count: column.runs.length })}
        {overlapping > 0 && (
          <span className="color-warning">
            {' · '}
            {t('schedule.calendar.overlapping', { count: overlapping })}
          </span>
        )}
      </div>
    </div>
  );
}

function DayColumn({
  projectId,
  column,
  maxLanes,
  maxLoad,
  params,
  onParams,
  children,
}: ColumnProps & { maxLoad: number; children: ReactNode }) {
  const { day, runs, load } = column;
  const { placed, hidden } = placeRuns(runs, maxLanes);
  const chosen = readHours(params.hours);
  const onHour = (hour: number) => {
    const range = withHour(chosen, day, hour);
    onParams({ hours: range ? writeHours(range) : undefined });
  };
  const isChosen = (hour: number): boolean =>
    chosen?.day === day && hour >= chosen.from && hour < chosen.to;
  return (
    <div className={`relative ${classes.day}`} style={{ height: 24 * HOUR_HEIGHT }}>
      {hours.map((hour) => (
        <HourButton
          key={hour}
          day={day}
          hour={hour}
          load={load[hour] ?? 0}
          maxLoad={maxLoad}
          isChosen={isChosen(hour)}
          onChoose={() => onHour(hour)}
        />
      ))}
      <div className={`absolute ${classes.runs}`}>
        {placed.map((one) => (
          <RunBlock key={one.run.key} projectId={projectId} {...one} />
        ))}
        {hidden.map((one) => (
          <HiddenBlock
            key={one.key}
            hidden={one}
            onOpen={(hour) => onParams({ hours: writeHours({ day, from: hour, to: hour + 1 }) })}
          />
        ))}
      </div>
      {children}
    </div>
  );
}

interface HourProps {
  day: string;
  hour: number;
  load: number;
  maxLoad: number;
  isChosen: boolean;
  onChoose: () => void;
}

/** The load of an hour as a bar; a click lists what runs then. */
function HourButton({ day, hour, load, maxLoad, isChosen, onChoose }: HourProps) {
  const time = clock(hour * 60, timeTag());
  return (
    <button
      type="button"
      className={`absolute focus-inside ${classes.hour}`}
      style={{ top: hour * HOUR_HEIGHT, height: HOUR_HEIGHT }}
      data-arrows
      tabIndex={-1}
      aria-pressed={isChosen}
      aria-label={`${longDay(day, timeTag())} ${time}: ${t('schedule.calendar.load_of', { count: load })}`}
      onClick={onChoose}
    >
      {load > 0 && (
        <>
          <span className={`absolute ${classes.load}`} style={{ width: (load / maxLoad) * 22 }} />
          <span className="relative numbers">{load}</span>
        </>
      )}
    </button>
  );
}

function NowLine({ column: { from, to }, now }: { column: CalendarColumn; now: string }) {
  const passed = (Date.parse(now) - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
  return (
    <span
      className={`absolute ${classes.now}`}
      style={{ top: passed * (DAY_MINUTES / 60) * HOUR_HEIGHT }}
      aria-hidden="true"
    />
  );
}
