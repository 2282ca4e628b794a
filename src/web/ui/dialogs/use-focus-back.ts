import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';

/**
 * Returns the focus when a dialog closes that was open at its first render, as all lazy-loaded
 * dialogs are: Mantine remembers the focus only for dialogs that open later. Returns the id for the
 * dialog. A dialog that has opened meanwhile keeps the focus.
 */
export function useFocusBack(opened: boolean): string {
  const id = useId();
  const [before] = useState(() => (opened ? document.activeElement : null));
  const isFirst = useRef(true);
  const giveBack = useEffectEvent(() => {
    if (!isFirst.current) return;
    const now = document.activeElement;
    const own = document.getElementById(`${id}-body`)?.closest('[role="dialog"]');
    const isLost = now === null || now === document.body || own?.contains(now);
    if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (opened) return;
    giveBack();
    isFirst.current = false;
  }, [opened]);
  // A dialog that is unmounted at once, as that of a task by a navigation, never closes.
  useEffect(() => () => giveBack(), []);
  return id;
}
