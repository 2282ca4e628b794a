import { useCallback, useState } from 'react';

interface Opened<Target> {
  target: Target;
  /** A new key for each opening, which resets the form. */
  key: string;
}

/**
 * The state of a launch dialog, which a click or the address opens. `asked` is the target in the
 * address, null for none; `leave` removes it from the address.
 */
export function useLaunchDialog<Target>(asked: Opened<Target> | null, leave: () => void) {
  const [last, setLast] = useState<Opened<Target> | null>(null);
  const [isClicked, setIsClicked] = useState(false);
  const open = useCallback((target: Target) => {
    setLast({ target, key: `click-${Date.now()}` });
    setIsClicked(true);
  }, []);
  /**
   * Hides the dialog unless the address opens it. The form stays mounted for the closing animation.
   */
  const hide = () => {
    setIsClicked(false);
    if (asked) setLast(asked);
  };
  const close = () => {
    hide();
    if (asked) leave();
  };
  return { shown: asked ?? last, opened: isClicked || asked !== null, open, hide, close };
}
