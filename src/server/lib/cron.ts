// Due times of a schedule: a cron expression of five fields or a word in its time zone, an interval that
// counts from the last due time, or a single time.
//
// When clocks are put forward, a time of day that does not exist is due at the end of the gap. When they
// are put back, a time of day that comes twice is due once. An expression whose minute or hour has a star
// or a step has no time of day: it skips times that do not exist, and runs in both hours.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Cron } from 'croner';
import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { Finding } from '#shared/field-errors.ts';
import { isTimeZone } from './time-zone.ts';

export interface Timing {
  cron_format: string;
  time_zone: string;
  /** The only due time; null for a cron expression. */
  run_at?: string | null;
}

const words = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually'];

const codes = [
  'schedule.cron_minute',
  'schedule.cron_hour',
  'schedule.cron_day',
  'schedule.cron_month',
  'schedule.cron_weekday',
] as const satisfies FieldCode[];

const lastValues = [59, 23, 31, 12, 7];

/** `5/15` is `5-59/15`, as in other cron programs. */
function withRanges(text: string): string {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== lastValues.length) return text;
  return parts
    .map((part, index) => part.replace(/(^|,)(\d+)\//g, `$1$2-${lastValues[index]}/`))
    .join(' ');
}

function parseCron({ cron_format: text, time_zone: timezone }: Omit<Timing, 'run_at'>): Cron {
  return new Cron(withRanges(text), { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}

type Next = (after: Date) => Date | null;

/** `from` is the due time from which an interval counts. */
export function dueTimes(timing: Timing, from: Date): Next {
  const { run_at } = timing;
  if (run_at) {
    const once = new Date(run_at);
    return (after) => (once > after ? once : null);
  }
  const interval = intervalOf(timing.cron_format);
  if (interval === null) {
    const cron = parseCron(timing);
    return (after) => cron.nextRun(after);
  }
  const start = from.getTime();
  return (after) => {
    const passed = Math.floor((after.getTime() - start) / interval);
    return new Date(start + Math.max(1, passed + 1) * interval);
  };
}

const every = /^@every\s+(\S+)$/i;
const unitMs = { h: 3_600_000, m: 60_000, s: 1000 };

/** The interval of `@every 1h30m` in unitMs, NaN for one that is wrong; null for other texts. */
export function intervalOf(text: string): number | null {
  const [, given] = every.exec(text.trim()) ?? [];
  if (given === undefined) return null;
  const [, hours, minutes, seconds] =
    /^(?:(\d{1,5})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s)?$/.exec(given) ?? [];
  return (
    Number(hours ?? 0) * unitMs.h +
    Number(minutes ?? 0) * unitMs.m +
    Number(seconds ?? 0) * unitMs.s
  );
}

// Cron expressions are not due more often either.
const MIN_INTERVAL_MS = 60_000;

/** Whether the expression is `@every …`, which needs no time zone. */
export const isInterval = (text: string): boolean => intervalOf(text) !== null;

function isCron(text: string): boolean {
  try {
    return Boolean(parseCron({ cron_format: text, time_zone: 'UTC' }));
  } catch {
    return false;
  }
}

export function findFault(timing: Timing): { code: FieldCode; value: string } | null {
  const text = timing.cron_format.trim();
  const interval = intervalOf(text);
  if (interval !== null) {
    return interval >= MIN_INTERVAL_MS ? null : { code: 'schedule.interval', value: text };
  }
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

export function findTimingError(timing: Timing): Finding | null {
  if (!isTimeZone(timing.time_zone)) {
    return { path: 'time_zone', code: 'schedule.time_zone_unknown' };
  }
  const fault = timing.run_at ? null : findFault(timing);
  return fault && { path: 'cron_format', code: fault.code, params: { value: fault.value } };
}

/** `after` is a due time itself or the beginning. Returns null when no due time follows. */
export function nextDue(timing: Timing, after: Date | string): string | null {
  const from = new Date(after);
  return dueTimes(timing, from)(from)?.toISOString() ?? null;
}

export function listNext(timing: Timing, after: Date, count: number): string[] {
  const next = dueTimes(timing, after);
  const list: string[] = [];
  for (let due = next(after); due && list.length < count; due = next(due)) {
    list.push(due.toISOString());
  }
  return list;
}

export interface Passed {
  /** The newest missed times, in their order. */
  newest: string[];
  /** The number of missed times before these, and the last one that was MAX_COUNTED. */
  earlier: { count: number; due: string } | null;
}

// The newest missed times get a row each; those before them are counted up to a limit, since each takes
// time to compute.
const MAX_LISTED = 100;
const MAX_COUNTED = 1000;

// The range that is searched first; it grows until it contains enough due times.
const FIRST_SPAN_MS = MAX_LISTED * 60_000;
const TIMES_PER_TICK = 100;

/** The due times from `first`, which is a due time itself, to before `end`. */
export async function listPassed(timing: Timing, first: string, end: Date): Promise<Passed> {
  const next = dueTimes(timing, new Date(first));
  const from = (start: string, before: Date) => times(next, start, before);
  let all: string[] = [];
  for (let span = FIRST_SPAN_MS; ; span *= 4) {
    const begin = new Date(end.getTime() - span);
    const start = begin.toISOString() <= first ? first : next(begin)?.toISOString();
    all = start === undefined ? [] : [...from(start, end)];
    if (start === first || all.length >= MAX_LISTED) break;
  }
  const newest = all.slice(-MAX_LISTED);
  const [border = first] = newest;
  if (border === first) return { newest, earlier: null };
  let earlier = { count: 0, due: first };
  for (const due of from(first, new Date(border))) {
    earlier = { count: earlier.count + 1, due };
    if (earlier.count === MAX_COUNTED) break;
    if (earlier.count % TIMES_PER_TICK === 0) await yieldToEventLoop();
  }
  return { newest, earlier };
}

function* times(next: Next, first: string, end: Date): Generator<string> {
  for (let due: Date | null = new Date(first); due && due < end; due = next(due)) {
    yield due.toISOString();
  }
}
