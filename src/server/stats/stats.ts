import type { CalendarDay } from '#shared/api/schedule-calendar.ts';
import type { DayStats, ProjectStats, Launches } from '#shared/api/stats.ts';
import type { Context } from '../context/context.ts';
import { lastDays, requireTimeZone } from '../lib/days.ts';
import { fail } from '../lib/errors.ts';
import { mediansByDay, summarize, summarizeWaits } from './durations.ts';
import { listFailingHosts, listFailingTemplates, listNewest } from './failures.store.ts';
import {
  countByDay,
  listNames,
  listSuccesses,
  listSuccessesByDay,
  type Launch,
  listLaunches,
} from './stats.store.ts';
import type { TaskStatus } from '#shared/task-status.ts';

// Of the newest tasks of a project.
const MAX_RUNS = 5000;
const MAX_RUNS_PER_DAY = 100;
const MAX_WAITS = 1000;
const MAX_FAILED_TASKS = 5000;
const MAX_FAILED_TASKS_OF_HOSTS = 100;
// Of each ranking.
const MAX_ENTRIES = 5;

/** The runs of projects by day, by project id; throws if the time zone is unknown. */
export async function getDays(
  ctx: Context,
  projectIds: number[],
  { time_zone: timeZone, days }: { time_zone: string; days: number },
): Promise<Map<number, DayStats[]>> {
  const rows = await countByDay(ctx.db, projectIds, requireDays(ctx, timeZone, days));
  const byProject = Map.groupBy(rows, ({ project_id: id }) => id);
  return new Map([...byProject].map(([id, list]) => [id, list.map(toDay)]));
}

const toDay = ({ day, success, error, stopped }: DayStats): DayStats => ({
  day,
  success,
  error,
  stopped,
});

/** The last days in a time zone; throws if the zone is unknown. */
function requireDays({ clock }: Context, timeZone: string, count: number): CalendarDay[] {
  requireTimeZone(timeZone);
  return lastDays(clock.now(), timeZone, count);
}

export async function getStats(
  ctx: Context,
  projectId: number,
  { days: count, time_zone }: { days: number; time_zone: string },
): Promise<ProjectStats> {
  const days = requireDays(ctx, time_zone, count);
  const since = days[0]?.from ?? '';
  const failed = { since, limit: MAX_ENTRIES };
  const [runs, daily, counts, newest, failing_templates, failing_hosts] = await Promise.all([
    listSuccesses(ctx.db, projectId, { since, limit: MAX_RUNS }),
    listSuccessesByDay(ctx.db, projectId, { days, limit: MAX_RUNS_PER_DAY }),
    countByDay(ctx.db, [projectId], days),
    listNewest(ctx.db, projectId, MAX_WAITS),
    listFailingTemplates(ctx.db, projectId, { ...failed, tasks: MAX_FAILED_TASKS }),
    listFailingHosts(ctx.db, projectId, { ...failed, tasks: MAX_FAILED_TASKS_OF_HOSTS }),
  ]);
  const { median_s, slowest } = summarize(runs, MAX_ENTRIES);
  const names = await listNames(
    ctx.db,
    projectId,
    slowest.map(({ template_id }) => template_id),
  );
  return {
    time_zone,
    days: counts.map(toDay),
    median_s,
    day_median_s: mediansByDay(daily, days),
    wait: summarizeWaits(newest, since),
    failing_templates,
    failing_hosts,
    slowest: slowest.map((one) => ({ ...one, name: names.get(one.template_id) ?? '' })),
  };
}

// Tasks of a template by day of launch, for clients of later API versions.

const MAX_TASKS = 10_000;
const DAY_MS = 86_400_000;

interface Query {
  start: string | null;
  end: string | null;
  user_id?: number | undefined;
}

export async function getLaunches(
  ctx: Context,
  { project_id: projectId, template_id: templateId }: { project_id: number; template_id: number },
  { start, end, user_id: userId }: Query,
): Promise<Launches[]> {
  const known = await listNames(ctx.db, projectId, [templateId]);
  if (!known.has(templateId)) throw fail('template.not_found');
  const tasks = await listLaunches(ctx.db, templateId, {
    since: start && dayAfter(start, 0),
    until: end && dayAfter(end, 1),
    userId,
    limit: MAX_TASKS,
  });
  const days = Map.groupBy(tasks, ({ created }) => created.slice(0, '2026-11-23'.length));
  return [...days]
    .map(([date, launches]) => ({ date, ...summary(launches) }))
    .toSorted((one, other) => (one.date > other.date ? -1 : 1));
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString();

function summary(launches: Launch[]): Omit<Launches, 'date'> {
  const counts: Partial<Record<TaskStatus, number>> = {};
  for (const { status } of launches) counts[status] = (counts[status] ?? 0) + 1;
  const lengths = launches.flatMap(({ start, end }) =>
    start && end ? [Date.parse(end) - Date.parse(start)] : [],
  );
  const sum = lengths.reduce((total, length) => total + length, 0);
  const average = lengths.length > 0 ? Math.round(sum / lengths.length / 1000) : null;
  return { count_by_status: counts, avg_duration: average };
}
