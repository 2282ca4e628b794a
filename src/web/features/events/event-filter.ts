// The filter of a list of events, as in the address, and as the query for the server.

import { objectTypes, type ObjectType } from '#shared/object-types.ts';
import { midnight } from '../../lib/wall-clock.ts';

export interface EventFilter {
  /** A code, or the beginning of several codes. */
  code?: string | undefined;
  type?: ObjectType | undefined;
  user?: number | undefined;
  /** The first and the last day, in the time zone of the reader: `2026-11-21`. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

export const isCode = (text: string): boolean => /^[a-z_]+\.[a-z_]*$/.test(text);

export const isObjectType = (text: string): text is ObjectType =>
  objectTypes.some((type) => type === text);

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
