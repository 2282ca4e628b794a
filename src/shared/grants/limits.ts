// What a launch may ask for at most by a grant on a template, a view or an inventory.

import { z } from 'zod';
import { initially, line, nullable } from '../fields.ts';
import type { GrantedType } from './granted-types.ts';
import { isTimeZone } from '../time-zones/time-zone.ts';

const words = z.array(line(255)).max(100);

/** Without seconds, such as 08:30. */
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'grant.clock_time' });

const hours = z.strictObject({
  /** 1 for Monday to 7 for Sunday. */
  days: z.array(z.int().min(1).max(7)).min(1, { error: 'grant.days_required' }).max(7),
  from: clockTime,
  /** Not included; before `from`, it is on the next day. */
  to: clockTime,
  time_zone: line(100).refine((name) => isTimeZone(name), { error: 'schedule.time_zone_unknown' }),
});

/**
 * Each one that is empty, null or false limits nothing. Unknown ones are refused, because they may have been meant to
 * limit something.
 */
export const grantLimits = z.strictObject({
  /** The launch has tags, and only these. */
  tags: initially(words, []),
  /** The launch has a limit, and each of its parts is one of these hosts and groups. */
  hosts: initially(words, []),
  branches: initially(words, []),
  /** The values that an answer of the survey may have, by variable. */
  answers: initially(z.record(line(100), words.min(1, { error: 'field.required' })), {}),
  dry_run: initially(z.boolean(), false),
  hours: nullable(hours),
  /** Somebody else confirms the task before it begins. */
  second_person: initially(z.boolean(), false),
});
export type GrantLimits = z.output<typeof grantLimits>;

/** As replies have them. */
export const shownLimits = z.object({
  tags: z.array(z.string()),
  hosts: z.array(z.string()),
  branches: z.array(z.string()),
  answers: z.record(z.string(), z.array(z.string())),
  dry_run: z.boolean(),
  hours: z
    .object({
      days: z.array(z.int()),
      from: z.string(),
      to: z.string(),
      time_zone: z.string(),
    })
    .nullable(),
  second_person: z.boolean(),
});

export const noLimits: GrantLimits = {
  tags: [],
  hosts: [],
  branches: [],
  answers: {},
  dry_run: false,
  hours: null,
  second_person: false,
};

/** A change that leaves them out does not take them away. */
export const keptLimits = ['limits', ...Object.keys(noLimits).map((name) => `limits.${name}`)];

export const isLimited = (limits: GrantLimits): boolean =>
  limits.dry_run ||
  limits.second_person ||
  limits.hours !== null ||
  [limits.tags, limits.hosts, limits.branches, Object.keys(limits.answers)].some(
    (list) => list.length > 0,
  );

/** Which limits a grant on an object of the kind can have. */
export function limitsOf(type: GrantedType): 'all' | 'hosts' | 'none' {
  if (type === 'template' || type === 'view') return 'all';
  return type === 'inventory' ? 'hosts' : 'none';
}

/** Whether a grant on an object of the kind can have these limits. Null: a role in the whole project, which has none. */
export function canHaveLimits(type: GrantedType | null, limits: GrantLimits): boolean {
  const allowed = type === null ? 'none' : limitsOf(type);
  if (allowed === 'all') return true;
  return !isLimited(allowed === 'hosts' ? { ...limits, hosts: [] } : limits);
}
