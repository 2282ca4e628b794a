// Escape closes the topmost dialog, and nothing below it.

import { useEffect, useRef } from 'react';

type Close = () => void;
const stack: { current: Close }[] = [];

/**
 * Elements that handle Escape themselves, such as an open list of options or the command palette.
 */
const keptBy = '[data-mantine-stop-propagation="true"], .mantine-Spotlight-content';

function pressed(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  if (event.target instanceof Element && event.target.closest(keptBy)) return;
  stack.at(-1)?.current();
}

/** Calls `close` on Escape if no dialog was opened after this one. */
export function useEscape(opened: boolean, close: Close): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!opened) return;
    if (stack.length === 0) addEventListener('keydown', pressed, true);
    stack.push(latest);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
      if (stack.length === 0) removeEventListener('keydown', pressed, true);
    };
  }, [opened]);
}
