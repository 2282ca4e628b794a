import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';

/**
 * Gives the focus back when a dialog is closed that was open when it was first drawn, as all are that
 * load when they are needed: Mantine knows what had the focus only of a dialog that opens later. Answers
 * the id for the dialog. A dialog that has been opened meanwhile keeps the focus.
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
  // A dialog that is taken away at once, as that of a task when its address goes, is never closed.
  useEffect(() => () => giveBack(), []);
  return id;
}
