// What a list of events is narrowed to, as it stands in the address, and how the server is asked.

import { objectTypes, type ObjectType } from '#shared/events.ts';

export interface EventFilter {
  /** A code, or the beginning of several. */
  code?: string | undefined;
  type?: ObjectType | undefined;
  user?: number | undefined;
  /** The first day and the last one, where the reader is: `2026-11-21`. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

export const isCode = (text: string): boolean => /^[a-z_]+\.[a-z_]*$/.test(text);

export const isObjectType = (text: string): text is ObjectType =>
  objectTypes.some((type) => type === text);

/** Midnight of the reader; of a later day, so many days on. */
function midnight(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

export function toQuery({ code, type, user, from, to, q }: EventFilter) {
  return {
    code,
    object_type: type,
    user_id: user,
    from: from && midnight(from),
    to: to && midnight(to, 1),
    q,
  };
}
