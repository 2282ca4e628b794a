import { useEffect, useId, useRef, useState } from 'react';

/**
 * Gives the focus back when a dialog is closed that was open when it was first drawn, as all are that
 * load when they are needed: Mantine knows what had the focus only of a dialog that opens later. Answers
 * the id for the dialog. A dialog that has been opened meanwhile keeps the focus.
 */
export function useFocusBack(opened: boolean): string {
  const id = useId();
  const [before] = useState(() => (opened ? document.activeElement : null));
  const isFirst = useRef(true);
  useEffect(() => {
    if (opened || !isFirst.current) return;
    isFirst.current = false;
    const now = document.activeElement;
    const own = document.getElementById(`${id}-body`)?.closest('[role="dialog"]');
    const isLost = now === null || now === document.body || own?.contains(now);
    if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
  }, [opened, before, id]);
  return id;
}
