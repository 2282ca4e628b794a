// The search parameters of a list of events: how they are read, and the hook that reads and changes
// them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { objectTypes } from '#shared/object-types.ts';
import { type EventFilter, isCode } from '../../features/events/event-filter.ts';
import { useTrail } from './list-address.ts';
import { day, oneOf, positive, text, textThat, trail } from './search-params.ts';

export const eventParams = {
  before: trail,
  code: textThat(isCode),
  type: oneOf(objectTypes),
  user: positive,
  from: day,
  to: day,
  q: text,
};

export function useEventAddress() {
  const { code, type, user, from, to, q }: EventFilter = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = { code, type, user, from, to, q };
  return {
    filter,
    onFilter: (wanted: EventFilter) =>
      void navigate({
        to: '.',
        search: wanted,
        // Typing must not add an entry to the browser's history for each letter.
        replace: wanted.q !== q,
        resetScroll: false,
      }),
    ...useTrail(),
  };
}
