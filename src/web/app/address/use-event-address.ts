import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EventFilter } from '../../features/events/event-filter.ts';
import type { Trail } from '../../ui/lists/cursors.ts';

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
        // The way back leads past every letter that was typed.
        replace: wanted.q !== q,
        resetScroll: false,
      }),
    trail: before,
    onTrail: (trail) =>
      void navigate({
        to: '.',
        search: (all) => ({ ...all, before: trail }),
        resetScroll: false,
      }),
  };
}
