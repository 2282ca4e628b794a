// The search parameters of a list of events: how they are read, and the hook that reads and changes
// them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { objectTypes } from '#shared/object-types.ts';
import { type EventFilter, isCode } from '../../features/events/event-filter.ts';
import { day, oneOf, positive, text, textThat, trail } from './search-params.ts';
import type { Trail } from '../../ui/lists/cursors.ts';

export const eventParams = {
  before: trail,
  code: textThat(isCode),
  type: oneOf(objectTypes),
  user: positive,
  from: day,
  to: day,
  q: text,
};

interface EventAddress {
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

type Search = EventFilter & { before?: Trail };

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
        // Typing must not add an entry to the browser's history for each letter.
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
