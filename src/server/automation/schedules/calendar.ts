// A week of schedules: what ran, and what is due. Yields to the event loop between schedules.

import { setImmediate } from 'node:timers/promises';
import type {
  CalendarDay,
  CalendarSchedule,
  ScheduleCalendar,
} from '#shared/api/schedule-calendar.ts';
import type { Context } from '../../context/context.ts';
import { batchesOf } from '../../../node/async/batches.ts';
import { daysFrom, requireTimeZone } from '../../lib/days.ts';
import { medianSeconds, expectedSeconds, MAX_TASKS_READ } from '../tasks/runs/progress.ts';
import {
  listCalendarRows,
  listFireGroups,
  listRunDurations,
  type CalendarRow,
  type FireGroup,
} from './calendar.store.ts';
import { dueTimesIn } from './due-times.ts';
import { groupTimes } from './group-times.ts';
import { pastFires } from './past-fires.ts';

const MAX_SCHEDULES = 500;
// Schedules whose fires are read at once: each may have a thousand.
const BATCH_SIZE = 20;
const HOUR_MS = 3_600_000;

interface CalendarQuery {
  from?: string | undefined;
  days: number;
  time_zone: string;
}

export async function getCalendar(
  ctx: Context,
  projectId: number,
  { from, days: count, time_zone }: CalendarQuery,
): Promise<ScheduleCalendar> {
  requireTimeZone(time_zone);
  const now = ctx.clock.now();
  const days = daysFrom(from ?? now, time_zone, count);
  const rows = await listCalendarRows(ctx.db, projectId, MAX_SCHEDULES + 1);
  const shown = rows.slice(0, MAX_SCHEDULES);
  const range = { from: days[0]?.from ?? '', to: days.at(-1)?.to ?? '' };
  const fires = await readFires(ctx, shown, range);
  const expected = expectedDurations(ctx, projectId);
  const dueOf = dueTimesIn({
    // A due time of the last hour may not have been handled yet.
    from: Math.max(Date.parse(range.from), now.getTime() - HOUR_MS),
    to: Date.parse(range.to),
  });
  const schedules: CalendarSchedule[] = [];
  for (const row of shown) {
    const due = row.next_due === null ? [] : groupTimes(dueOf(row, row.next_due), days);
    const past = pastFires(fires.get(row.id) ?? [], days);
    await setImmediate();
    if (due.length + past.length === 0) continue;
    schedules.push({ ...scheduleOf(row), past, due, expected_s: await expected(row) });
  }
  const has_more = rows.length > shown.length;
  return { time_zone, now: now.toISOString(), days, schedules, has_more };
}

const scheduleOf = ({
  cron_format: _cron,
  run_at: _at,
  time_zone: _zone,
  next_due: _due,
  ...row
}: CalendarRow) => ({ ...row, active: row.active === 1 });

async function readFires(
  ctx: Context,
  rows: CalendarRow[],
  range: Pick<CalendarDay, 'from' | 'to'>,
): Promise<Map<number, FireGroup[]>> {
  const groups: FireGroup[] = [];
  for await (const batch of batchesOf(rows, BATCH_SIZE)) {
    const ids = batch.map(({ id }) => id);
    groups.push(...(await listFireGroups(ctx.db, ids, range)));
  }
  return Map.groupBy(groups, ({ schedule_id }) => schedule_id);
}

/** Reads the duration of each template and workflow once. */
function expectedDurations({ db }: Context, projectId: number) {
  const known = new Map<string, Promise<number | null>>();
  const read = ({ template_id, workflow_id: workflowId }: CalendarRow) =>
    workflowId === null
      ? expectedSeconds(db, template_id ?? 0, false)
      : listRunDurations(db, { projectId, workflowId, limit: MAX_TASKS_READ }).then(medianSeconds);
  return (row: CalendarRow): Promise<number | null> => {
    const key = `${row.template_id} ${row.workflow_id}`;
    const seconds = known.get(key) ?? read(row);
    known.set(key, seconds);
    return seconds;
  };
}
