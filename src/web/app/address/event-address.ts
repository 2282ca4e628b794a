// What the address of a list of events holds: its schema, and the hook that reads and changes it.

import { z } from 'zod';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { objectTypes } from '#shared/events.ts';
import { type EventFilter, isCode, isDay } from '../../features/events/event-filter.ts';
import { positive, text, trail } from './list-address.ts';
import type { Trail } from '../../ui/lists/cursors.ts';

export const eventSearch = z.object({
  before: trail,
  code: z.string().refine(isCode).optional().catch(undefined),
  type: z.enum(objectTypes).optional().catch(undefined),
  user: positive,
  from: z.string().refine(isDay).optional().catch(undefined),
  to: z.string().refine(isDay).optional().catch(undefined),
  q: text,
});

interface EventAddress {
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

type Search = EventFilter & { before?: Trail };

/** Filter and page of the list of events that is open, kept in its address. */
export function useEventAddress(): EventAddress {
  const { before, code, type, user, from, to, q }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = { code, type, user, from, to, q };
  return {
    filter,
    onFilter: (wanted) =>
      void navigate({
        to: '.',
        search: wanted,
        // The history of the browser does not keep every letter that was typed.
        replace: wanted.q !== q,
        resetScroll: false,
      }),
    trail: before,
    onTrail: (next) =>
      void navigate({
        to: '.',
        search: (all) => ({ ...all, before: next }),
        resetScroll: false,
      }),
  };
}
