// The due times of a cron expression in its time zone. The expression has five fields, or is a word.
//
// When clocks are put forward, a time of day that does not exist is due at the end of the gap. When
// they are put back, a time of day that comes twice is due once. An expression whose minute or hour
// has a star or a step has no time of day: it skips times that do not exist, and runs in both hours.

import { setImmediate as others } from 'node:timers/promises';
import { Cron } from 'croner';
import type { FieldCode } from '#shared/errors.ts';

export interface Timing {
  cron_format: string;
  time_zone: string;
}

const words = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually'];

const codes = [
  'schedule.cron_minute',
  'schedule.cron_hour',
  'schedule.cron_day',
  'schedule.cron_month',
  'schedule.cron_weekday',
] as const satisfies FieldCode[];

/** The time zone of this server. */
export const serverZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether a text is the name of a time zone. An offset is not accepted, since it has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

function parse({ cron_format: text, time_zone: timezone }: Timing): Cron {
  return new Cron(text, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}

function isCron(text: string): boolean {
  try {
    return Boolean(parse({ cron_format: text, time_zone: 'UTC' }));
  } catch {
    return false;
  }
}

/** The error of a cron expression; null when it is valid. */
export function findFault(timing: Timing): { code: FieldCode; value: string } | null {
  const text = timing.cron_format.trim();
  const parts = text.split(/\s+/);
  if (!words.includes(text.toLowerCase())) {
    if (parts.length !== codes.length) return { code: 'schedule.cron_fields', value: text };
    const alone = (index: number) => codes.map((_, at) => (at === index ? parts[at] : '*'));
    const wrong = codes.findIndex((_, index) => !isCron(alone(index).join(' ')));
    const code = codes[wrong];
    if (code) return { code, value: parts[wrong] ?? '' };
  }
  return nextDue(timing, new Date()) === null ? { code: 'schedule.cron_never', value: text } : null;
}

/** The first due time after a time; null when there is none. */
export function nextDue(timing: Timing, after: Date | string): string | null {
  return parse(timing).nextRun(new Date(after))?.toISOString() ?? null;
}

/** The next due times. */
export function listNext(timing: Timing, after: Date, count: number): string[] {
  return parse(timing)
    .nextRuns(count, after)
    .map((time) => time.toISOString());
}

/** Missed due times. */
export interface Passed {
  /** The newest missed times, in their order. */
  newest: string[];
  /** The number of missed times before these, and the last one that was counted. */
  earlier: { count: number; due: string } | null;
}

// How many missed times get a row each, and how many are counted at most, since each takes time to compute.
const told = 100;
const counted = 1000;

// The first range that is searched, in milliseconds, and how many times are computed without a pause.
const firstSpan = told * 60_000;
const stretch = 100;

/** The due times from `first`, which is a due time itself, to before `end`. */
export async function listPassed(timing: Timing, first: string, end: Date): Promise<Passed> {
  const cron = parse(timing);
  const from = (start: string, before: Date) => times(cron, start, before);
  let all: string[] = [];
  for (let span = firstSpan; ; span *= 4) {
    const begin = new Date(end.getTime() - span);
    const start = begin.toISOString() <= first ? first : cron.nextRun(begin)?.toISOString();
    all = start === undefined ? [] : [...from(start, end)];
    if (start === first || all.length >= told) break;
  }
  const newest = all.slice(-told);
  const [border = first] = newest;
  if (border === first) return { newest, earlier: null };
  let earlier = { count: 0, due: first };
  for (const due of from(first, new Date(border))) {
    earlier = { count: earlier.count + 1, due };
    if (earlier.count === counted) break;
    if (earlier.count % stretch === 0) await others();
  }
  return { newest, earlier };
}

function* times(cron: Cron, first: string, end: Date): Generator<string> {
  for (let due: Date | null = new Date(first); due && due < end; due = cron.nextRun(due)) {
    yield due.toISOString();
  }
}
