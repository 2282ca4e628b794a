// Node includes the time zone rules. Due times that were computed with other rules may be an hour off, so
// a server with other rules computes them again.

import type { Context } from '../../context/context.ts';
import { computeDueTimes } from '../../automation/schedules/schedules.ts';
import { findSetting, putSetting } from './settings.store.ts';

const name = 'time_zone_rules';

/** The version of the rules, such as `2026e`. */
export const zoneRules = process.versions['tz'] ?? '';

export async function followZoneRules(ctx: Context, rules = zoneRules): Promise<void> {
  const before = await findSetting(ctx.db, name);
  if (before === rules) return;
  const changed = await computeDueTimes(ctx);
  await putSetting(ctx.db, name, rules);
  if (changed > 0)
    ctx.log.info({ before, rules, changed }, 'due times recomputed for new time zone rules');
}
