// Selects rows by keyboard: Ctrl-A all, Escape none, and the arrows move from checkbox to checkbox.
// The shortcut x is one of the single-key shortcuts of app/keyboard.

import { useCallback, useEffect, useRef } from 'react';
import type { Selection } from './use-selection.ts';

const typed = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';

const boxes = '[data-selection] input[type="checkbox"]';

type KeyedSelection = Pick<Selection<never>, 'selectAll' | 'clear' | 'total'> & {
  selected: readonly unknown[];
};

/** `ref`: of the element in which the keys work. `focusList` focuses its first checkbox. */
export function useSelectionKeys(selection: KeyedSelection) {
  const latest = useRef(selection);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    latest.current = selection;
  });
  const ref = useCallback((element: HTMLElement | null) => {
    frame.current = element;
    if (!element) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLElement) || event.target.closest(typed)) return;
      const act = actionOf(event, latest.current);
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    element.addEventListener('keydown', onKey);
    return () => element.removeEventListener('keydown', onKey);
  }, []);
  const focusList = useCallback(() => {
    frame.current?.querySelector<HTMLElement>(boxes)?.focus({ preventScroll: true });
  }, []);
  return { ref, focusList };
}

function actionOf(
  event: KeyboardEvent,
  { selectAll, clear, selected, total }: KeyedSelection,
): (() => void) | null {
  const { key, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (altKey || event.isComposing) return null;
  if (isCommand) return key.toLowerCase() === 'a' && total > 0 ? selectAll : null;
  if (key === 'Escape') return selected.length > 0 ? clear : null;
  if (key === 'ArrowDown') return moveFocus(event, 1);
  return key === 'ArrowUp' ? moveFocus(event, -1) : null;
}

/** The move from the focused checkbox to the next one; null if another element is focused. */
function moveFocus({ target, currentTarget }: KeyboardEvent, by: 1 | -1): (() => void) | null {
  const all = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>(boxes)];
  const at = all.indexOf(target as HTMLElement);
  return at < 0 ? null : () => all[Math.max(0, at + by)]?.focus();
}
