// Which entry of the palette is selected while server results arrive.

import type { createSpotlight, SpotlightActionGroupData } from '@mantine/spotlight';
import { type KeyboardEvent, useEffect, useRef } from 'react';

type Store = ReturnType<typeof createSpotlight>[0];

/**
 * Selects the first entry again when results arrive, unless the arrow keys have moved the selection
 * since the query changed.
 */
export function useSelection(store: Store, query: string, found: SpotlightActionGroupData[]) {
  const isMoved = useRef(false);
  const ids = found.flatMap(({ actions }) => actions.map(({ id }) => id)).join();
  useEffect(() => {
    if (query !== '' && ids !== '') select(store, isMoved.current);
  }, [store, ids, query]);
  return {
    onQuery: () => {
      isMoved.current = false;
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown' || key === 'ArrowUp') isMoved.current = true;
    },
  };
}

/** Mantine keeps the selection as an attribute of the entry, and its index for the arrow keys. */
function select(store: Store, isMoved: boolean): void {
  const { listId, empty } = store.getState();
  const entries = [...(document.getElementById(listId)?.querySelectorAll('[data-action]') ?? [])];
  const chosen = entries.findIndex((entry) => entry.hasAttribute('data-selected'));
  const selected = isMoved && chosen >= 0 ? chosen : 0;
  entries[chosen]?.removeAttribute('data-selected');
  entries[selected]?.setAttribute('data-selected', 'true');
  store.setState((state) => ({ ...state, selected, empty: empty && entries.length === 0 }));
}
