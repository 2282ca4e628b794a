import { useEffect, useRef, useState } from 'react';

/**
 * Gives the focus back when a dialog is closed that was open when it was first drawn, as all are that
 * load when they are needed: Mantine knows what had the focus only of a dialog that opens later.
 */
export function useFocusBack(opened: boolean): void {
  const [before] = useState(() => (opened ? document.activeElement : null));
  const isFirst = useRef(true);
  useEffect(() => {
    if (opened || !isFirst.current) return;
    isFirst.current = false;
    const now = document.activeElement;
    const isLost = now === null || now === document.body || now.closest('[role="dialog"]') !== null;
    if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
  }, [opened, before]);
}
