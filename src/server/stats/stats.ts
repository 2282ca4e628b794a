import type { CalendarDay } from '#shared/api/schedule-calendar.ts';
import type { DayStats, ProjectStats, Launches } from '#shared/api/stats.ts';
import type { Context } from '../context/context.ts';
import { lastDays, requireTimeZone } from '../lib/days.ts';
import { fail } from '../lib/errors.ts';
import { summarize } from './durations.ts';
import { countByDay, listNames, listSuccesses, type Launch, listLaunches } from './stats.store.ts';
import type { TaskStatus } from '#shared/task-status.ts';

// Of the newest tasks of a project.
const MAX_RUNS = 5000;
const MAX_TEMPLATES = 5;

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
  const runs = await listSuccesses(ctx.db, projectId, { since, limit: MAX_RUNS });
  const { median_s, slowest } = summarize(runs, MAX_TEMPLATES);
  const names = await listNames(
    ctx.db,
    projectId,
    slowest.map(({ template_id }) => template_id),
  );
  return {
    time_zone,
    days: (await countByDay(ctx.db, [projectId], days)).map(toDay),
    median_s,
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
