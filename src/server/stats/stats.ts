import type { ProjectStats } from '#shared/api/stats.ts';
import type { Context } from '../context/context.ts';
import { failFields, fieldError } from '../lib/errors.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import { lastDays } from './days.ts';
import { summarize } from './durations.ts';
import { countByDay, listNames, listSuccesses } from './stats.store.ts';

// Of the newest tasks of a project.
const MAX_RUNS = 5000;
const MAX_TEMPLATES = 5;

export async function getStats(
  ctx: Context,
  projectId: number,
  { days: count, time_zone }: { days: number; time_zone: string },
): Promise<ProjectStats> {
  if (!isTimeZone(time_zone)) {
    throw failFields(fieldError('time_zone', 'schedule.time_zone_unknown'));
  }
  const days = lastDays(ctx.clock.now(), time_zone, count);
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
    days: await countByDay(ctx.db, projectId, days),
    median_s,
    slowest: slowest.map((one) => ({ ...one, name: names.get(one.template_id) ?? '' })),
  };
}
