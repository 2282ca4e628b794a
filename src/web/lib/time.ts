// Formats times and durations in the language of the user. Pure functions.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['week', 7 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
];

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
const clockFormat = cached((tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'medium' }));

/** "5 minutes ago"; within a minute "now", also for clocks that run a little ahead. */
export function relativeTime(time: string, now: number, language: string): string {
  const passed = Date.parse(time) - now;
  for (const [unit, length] of steps) {
    if (Math.abs(passed) >= length) {
      return relativeFormat(language).format(Math.trunc(passed / length), unit);
    }
  }
  return relativeFormat(language).format(0, 'second');
}

/** Date and time with the zone, for tooltips. */
export const exactTime = (time: string, language: string): string =>
  exactFormat(language).format(Date.parse(time));

export const clockTime = (time: string, language: string): string =>
  clockFormat(language).format(Date.parse(time));

const amount = (value: number, unit: string, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);

/** A length of time: "2 min". */
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
