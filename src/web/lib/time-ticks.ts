// The ticks of an axis of elapsed time. Pure functions.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const times = (unit: number, ...counts: number[]): number[] => counts.map((count) => count * unit);

const steps = [
  ...times(1, 10, 20, 50, 100, 200, 500),
  ...times(second, 1, 2, 5, 10, 15, 30),
  ...times(minute, 1, 2, 5, 10, 15, 30),
  ...times(hour, 1, 2, 3, 6, 12),
  ...times(day, 1, 2, 7, 14, 28, 84, 365),
];

/** The smallest step in milliseconds with which a span has at most `maxTicks` steps. */
export const tickStep = (span: number, maxTicks: number): number =>
  steps.find((step) => span / step <= Math.max(1, maxTicks)) ?? span;

/** The multiples of a step within a range. */
export function ticksBetween(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Elapsed time as on a stopwatch: "0:05", "1:02:03"; with the decimals that the step needs. */
export function stopwatch(ms: number, step: number): string {
  const decimals = [second, 100, 10].findIndex((unit) => step >= unit);
  const unit = second / 10 ** decimals;
  const rounded = Math.round(ms / unit) * unit;
  const [hours, minutes] = [Math.floor(rounded / hour), Math.floor((rounded % hour) / minute)];
  const seconds = ((rounded % minute) / second).toFixed(decimals);
  const padded = seconds.padStart(decimals > 0 ? decimals + 3 : 2, '0');
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${padded}` : `${minutes}:${padded}`;
}
