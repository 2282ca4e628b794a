// Formats times and durations in the language of the user. Pure functions.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const cached = <Value>(make: (language: string) => Value) => {
  const values = new Map<string, Value>();
  return (language: string): Value => {
    const value = values.get(language) ?? make(language);
    values.set(language, value);
    return value;
  };
};

const relativeFormat = cached((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const exactFormat = cached(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'long' }),
);
const hours = { hour: 'numeric', minute: '2-digit' } as const;
const weekdayFormat = cached((tag) => new Intl.DateTimeFormat(tag, { weekday: 'short', ...hours }));
const dateFormat = cached(
  (tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', ...hours }),
);
const yearFormat = cached(
  (tag) =>
    new Intl.DateTimeFormat(tag, { year: 'numeric', day: 'numeric', month: 'short', ...hours }),
);
const amountFormat = cached((unit) =>
  cached((tag) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' })),
);
const clockFormat = cached((tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'medium' }));

/** The number of days since the epoch, in the user's time zone. */
const dayOf = (time: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / day;
};

const sixDays = 6;

/** Date and time: "Mon 02:30" within six days, else "26 Nov, 14:05". */
function dateAndTime(time: number, now: number, language: string): string {
  if (Math.abs(dayOf(time) - dayOf(now)) <= sixDays) return weekdayFormat(language).format(time);
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? dateFormat : yearFormat)(language).format(time);
}

/**
 * "5 minutes ago"; after a day, the date and time in the user's zone; within a minute "now", also
 * for clocks that run a little ahead.
 */
export function relativeTime(time: string, now: number, language: string): string {
  const at = Date.parse(time);
  const passed = at - now;
  if (Math.abs(passed) >= day) return dateAndTime(at, now, language);
  const [unit, length] =
    Math.abs(passed) >= hour ? (['hour', hour] as const) : (['minute', minute] as const);
  const count = Math.trunc(passed / length);
  return count === 0
    ? relativeFormat(language).format(0, 'second')
    : relativeFormat(language).format(count, unit);
}

export const exactTime = (time: string, language: string): string =>
  exactFormat(language).format(Date.parse(time));

export const clockTime = (time: string, language: string): string =>
  clockFormat(language).format(Date.parse(time));

const amount = (value: number, unit: string, language: string): string =>
  amountFormat(unit)(language).format(value);

export const span = (seconds: number, language: string): string =>
  duration(new Date(0).toISOString(), seconds * 1000, language);

/** The two largest units: "1 hr 5 min", "12 sec". */
export function duration(from: string, until: number, language: string): string {
  const length = Math.max(0, until - Date.parse(from));
  const parts: [number, string][] = [
    [Math.floor(length / day), 'day'],
    [Math.floor((length % day) / hour), 'hour'],
    [Math.floor((length % hour) / minute), 'minute'],
    [Math.floor((length % minute) / second), 'second'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return amount(0, 'second', language);
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => amount(value, unit, language))
    .join(' ');
}

/**
 * The language tag for dates and times. That of the browser where it is of the language of the
 * console, so that British and American readers each have their own form; its hours always.
 * @param language the tag of the language of the console
 * @param preferred the tags that the browser prefers, the first one before all others
 */
export function timeTagOf(language: string, preferred: readonly string[]): string {
  const spoken = new Intl.Locale(language).maximize();
  const known = preferred.filter(isLocale);
  const tag = known.find((one) => {
    const { language: code, script } = new Intl.Locale(one).maximize();
    return code === spoken.language && script === spoken.script;
  });
  const { hourCycle } = new Intl.DateTimeFormat(known[0] ?? language, {
    hour: 'numeric',
  }).resolvedOptions();
  return new Intl.Locale(tag ?? language, hourCycle && { hourCycle }).toString();
}

/** WebKitGTK takes its languages from the environment, where `C` is usual, which `Intl` refuses. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Whether a tag has the 24-hour clock. */
export const hasWholeDays = (tag: string): boolean =>
  new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 === false;

// A Monday.
const firstDay = Date.UTC(2024, 0, 1);

/** Short; 1 for Monday to 7 for Sunday. */
export const dayName = (weekday: number, tag: string): string =>
  new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' }).format(
    firstDay + (weekday - 1) * day,
  );
