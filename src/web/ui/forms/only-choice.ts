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
 * empty the field. A proposal that is not wanted any more is taken back, and one that is not among
 * the choices any more gives way to the only one of the new ones.
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
  const isGone = ids !== undefined && !isEmpty && !ids.includes(value);
  useEffect(() => {
    if (!onChoose) return;
    if (!isWanted) {
      if (proposed.current !== null && proposed.current === value) {
        changeQuietly(() => onChoose(null));
      }
      proposed.current = null;
      return;
    }
    const isLeft = isGone && proposed.current === value;
    if (isLeft && only === null) {
      proposed.current = null;
      changeQuietly(() => onChoose(null));
    }
    if (only === null || !(isEmpty || isLeft) || proposed.current === only) return;
    proposed.current = only;
    changeQuietly(() => onChoose(only));
  }, [isWanted, only, isEmpty, isGone, value, onChoose, changeQuietly]);
}
