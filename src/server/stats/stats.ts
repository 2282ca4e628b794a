import type { ProjectStats } from '#shared/api/stats.ts';
import type { Context } from '../context/context.ts';
import { failFields, fieldError } from '../lib/errors.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import { type Day, lastDays } from './days.ts';
import { summarize } from './durations.ts';
import { countByDay, listNames, listSuccesses } from './stats.store.ts';

// Of the newest tasks of a project.
const MAX_RUNS = 5000;
const MAX_TEMPLATES = 5;

/** The last days in a time zone; throws if the zone is unknown. */
export function requireDays({ clock }: Context, timeZone: string, count: number): Day[] {
  if (!isTimeZone(timeZone)) {
    throw failFields(fieldError('time_zone', 'schedule.time_zone_unknown'));
  }
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
    days: (await countByDay(ctx.db, [projectId], days)).map(({ project_id: _, ...day }) => day),
    median_s,
    slowest: slowest.map((one) => ({ ...one, name: names.get(one.template_id) ?? '' })),
  };
}
