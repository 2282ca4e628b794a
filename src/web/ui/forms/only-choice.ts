// Chooses for people what there is only one of.

import { createContext, useContext, useEffect, useRef } from 'react';

/** Changes a form so that it still counts as untouched if it was untouched before. */
export type ChangeQuietly = (change: () => void) => void;

const Context = createContext<ChangeQuietly>((change) => change());

export const QuietChanges = Context.Provider;

interface Field<Id> {
  /** The ids of all choices; undefined while they are loaded. */
  ids: readonly Id[] | undefined;
  /** The chosen id; null or an empty text for none. */
  value: Id | null | undefined;
  /** Whether the only choice is chosen. */
  isWanted: boolean;
  onChoose: ((id: Id | null) => void) | undefined;
}

/**
 * Chooses the only choice of an empty field. Each choice is proposed once, so that somebody can
 * empty the field; a proposal that is not wanted any more is taken back.
 */
export function useOnlyChoice<Id extends number | string>({
  ids,
  value,
  isWanted,
  onChoose,
}: Field<Id>): void {
  const changeQuietly = useContext(Context);
  const proposed = useRef<Id | null>(null);
  const only = ids?.length === 1 ? (ids[0] ?? null) : null;
  const isEmpty = value === null || value === undefined || value === '';
  useEffect(() => {
    if (!onChoose) return;
    if (!isWanted) {
      if (proposed.current !== null && proposed.current === value) {
        changeQuietly(() => onChoose(null));
      }
      proposed.current = null;
      return;
    }
    if (only === null || !isEmpty || proposed.current === only) return;
    proposed.current = only;
    changeQuietly(() => onChoose(only));
  }, [isWanted, only, isEmpty, value, onChoose, changeQuietly]);
}
