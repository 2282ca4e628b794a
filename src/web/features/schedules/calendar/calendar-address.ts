/** What of the calendar its address contains. */
export interface CalendarParams {
  /** The first day. */
  from?: string | undefined;
  /** The only day that is shown. */
  day?: string | undefined;
  /** The time zone; by default that of the browser. */
  zone?: string | undefined;
  /** The hours of a day whose runs are listed: `2026-12-01T02-04`. */
  hours?: string | undefined;
  /** Drawn hour by hour, or as a table. */
  as?: 'week' | 'table' | undefined;
}

export interface CalendarAddress {
  params: CalendarParams;
  onParams: (part: CalendarParams) => void;
}

export interface HourRange {
  day: string;
  from: number;
  to: number;
}

const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)$/;

export function readHours(text: string | undefined): HourRange | null {
  const [, day = '', from, to] = pattern.exec(text ?? '') ?? [];
  const range = { day, from: Number(from), to: Number(to) };
  return range.from < range.to && range.to <= 24 ? range : null;
}

const two = (hour: number): string => String(hour).padStart(2, '0');

export const writeHours = ({ day, from, to }: HourRange): string =>
  `${day}T${two(from)}-${two(to)}`;

/** The hours after one of them was chosen: the one after or before the chosen ones extends them. */
export function withHour(chosen: HourRange | null, day: string, hour: number): HourRange | null {
  if (chosen?.day !== day) return { day, from: hour, to: hour + 1 };
  const { from, to } = chosen;
  if (hour === from && to === from + 1) return null;
  if (hour === to) return { day, from, to: to + 1 };
  if (hour === from - 1) return { day, from: hour, to };
  return { day, from: hour, to: hour + 1 };
}
