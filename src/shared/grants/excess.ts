// What a launch asks for beyond the limits of a grant.

import type { GrantLimits } from './limits.ts';

/** A launch with everything in effect, also what the template decides. */
export interface AskedLaunch {
  tags: string[];
  /** The patterns of its limit. */
  hosts: string[];
  branch: string;
  /** Whether it names a commit, which may be of any branch. */
  hasCommit: boolean;
  /** Whether it has arguments for the program, which may undo anything. */
  hasArguments: boolean;
  answers: Record<string, unknown>;
  dryRun: boolean;
  at: Date;
}

/** A limit, with what it allows. */
export interface Excess {
  limit: 'tags' | 'hosts' | 'branches' | 'answer' | 'arguments' | 'dry_run' | 'hours';
  /** The variable of an answer. */
  name: string;
  /** What is allowed, of a limit that lists it or is about hours. */
  values: string;
  /** The days of hours, 1 for Monday to 7 for Sunday. */
  days: string;
}

const excess = (limit: Excess['limit'], rest: Partial<Excess> = {}): Excess => ({
  limit,
  name: '',
  values: '',
  days: '',
  ...rest,
});

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** In English. */
export function excessText({ limit, name, values, days }: Excess): string {
  const names = days.split(', ').map((day) => DAYS[Number(day) - 1]);
  const said = {
    answer: `${name} only ${values}`,
    arguments: 'no arguments of its own',
    dry_run: 'dry run only',
    hours: `only ${names.join(', ')} ${values}`,
  };
  return said[limit as keyof typeof said] ?? `only ${limit} ${values}`;
}

const isWithin = (asked: string[], allowed: string[]): boolean =>
  asked.length > 0 && asked.every((one) => allowed.includes(one));

const listed = (limit: Excess['limit'], allowed: string[], name = ''): Excess =>
  excess(limit, { name, values: allowed.join(', ') });

/** The limits in hosts alone, such as those of a grant on an inventory; null: it is within. */
export const excessOfHosts = ({ hosts }: GrantLimits, asked: AskedLaunch): Excess | null =>
  hosts.length > 0 && (asked.hasArguments || !isWithin(asked.hosts, hosts))
    ? listed('hosts', hosts)
    : null;

/** The first limit that a launch goes beyond; null: it is within all of them. */
export function excessOf(limits: GrantLimits, asked: AskedLaunch): Excess | null {
  const { tags, branches, hours } = limits;
  if (asked.hasArguments) return excess('arguments');
  if (tags.length > 0 && !isWithin(asked.tags, tags)) return listed('tags', tags);
  if (branches.length > 0 && (asked.hasCommit || !branches.includes(asked.branch))) {
    return listed('branches', branches);
  }
  for (const [variable, allowed] of Object.entries(limits.answers)) {
    const answer = asked.answers[variable];
    if (!allowed.includes(textOf(answer))) return listed('answer', allowed, variable);
  }
  if (limits.dry_run && !asked.dryRun) return excess('dry_run');
  if (hours && !isWithinHours(hours, asked.at)) {
    const values = `${hours.from}–${hours.to} (${hours.time_zone})`;
    return excess('hours', {
      values,
      days: hours.days.toSorted((one, other) => one - other).join(', '),
    });
  }
  return excessOfHosts(limits, asked);
}

const textOf = (answer: unknown): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer ?? null);

type Hours = NonNullable<GrantLimits['hours']>;

/** Between times of the day in their time zone; hours over midnight are of the day on which they begin. */
function isWithinHours({ days, from, to, time_zone: timeZone }: Hours, at: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const day = DAYS.indexOf(part('weekday')) + 1;
  const time = `${part('hour')}:${part('minute')}`;
  const isOn = (one: number): boolean => days.includes(one);
  if (from < to) return isOn(day) && from <= time && time < to;
  const before = day === 1 ? 7 : day - 1;
  return (isOn(day) && from <= time) || (isOn(before) && time < to);
}
