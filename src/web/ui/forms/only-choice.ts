// Preselects the only option of a field.

import { createContext, useContext, useEffect, useRef } from 'react';

/** Changes a form without marking an untouched form as dirty. */
export type ChangeQuietly = (change: () => void) => void;

const Context = createContext<ChangeQuietly>((change) => change());

export const QuietChanges = Context.Provider;

interface Field<Id> {
  ids: readonly Id[] | undefined;
  value: Id | null | undefined;
  isWanted: boolean;
  onChoose: ((id: Id | null) => void) | undefined;
}

/**
 * Preselects the only option of an empty field. Each option is preselected once, so that the user
 * can clear the field. A preselection is removed when it is no longer wanted, and replaced when it
 * is no longer an option.
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
