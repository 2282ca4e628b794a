// Where runs that overlap are drawn: side by side, in lanes. Pure functions.

import type { CalendarRun } from './calendar-model.ts';

/** The height of an hour in pixels. */
export const HOUR_HEIGHT = 40;
/** The height of the name of a run. */
const MIN_BLOCK_HEIGHT = 19;

export interface PlacedRun {
  run: CalendarRun;
  top: number;
  height: number;
  /** The height of the time that it takes. */
  length: number;
  lane: number;
  /** The number of lanes of the runs with which it is side by side. */
  lanes: number;
}

/** Runs that have no lane of their own. */
export interface HiddenRuns {
  key: string;
  top: number;
  runs: CalendarRun[];
  lanes: number;
}

const pixels = (minutes: number): number => (minutes / 60) * HOUR_HEIGHT;
const DAY_HEIGHT = 24 * HOUR_HEIGHT;

/** The runs are in the order of their beginning. With more lanes than `maxLanes`, the last one counts the rest. */
export function placeRuns(
  runs: CalendarRun[],
  maxLanes: number,
): { placed: PlacedRun[]; hidden: HiddenRuns[] } {
  const placed: PlacedRun[] = [];
  const hidden: HiddenRuns[] = [];
  let group: PlacedRun[] = [];
  let end = 0;
  const close = (): void => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1));
    const isTooWide = lanes > maxLanes;
    const shown = isTooWide ? maxLanes - 1 : lanes;
    const width = Math.min(lanes, maxLanes);
    placed.push(
      ...group.filter(({ lane }) => lane < shown).map((one) => ({ ...one, lanes: width })),
    );
    if (isTooWide)
      hidden.push(
        ...hiddenOf(
          group.filter(({ lane }) => lane >= shown),
          width,
        ),
      );
    group = [];
  };
  for (const run of runs) {
    const top = Math.min(pixels(run.from), DAY_HEIGHT - MIN_BLOCK_HEIGHT);
    const length = Math.max(2, pixels(run.to - run.from));
    const height = Math.max(MIN_BLOCK_HEIGHT, length);
    if (top >= end) close();
    const lane = freeLane(group, top);
    group.push({ run, top, height, length, lane, lanes: 1 });
    end = Math.max(end, top + height);
  }
  close();
  return { placed, hidden };
}

function freeLane(group: PlacedRun[], top: number): number {
  const taken = new Set(group.filter((one) => one.top + one.height > top).map(({ lane }) => lane));
  let lane = 0;
  while (taken.has(lane)) lane += 1;
  return lane;
}

/** One mark for the hidden runs that begin within the height of a name. */
function hiddenOf(group: PlacedRun[], lanes: number): HiddenRuns[] {
  const marks: HiddenRuns[] = [];
  for (const { run, top } of group) {
    const last = marks.at(-1);
    if (last && top < last.top + MIN_BLOCK_HEIGHT) last.runs.push(run);
    else marks.push({ key: run.key, top, runs: [run], lanes });
  }
  return marks;
}
