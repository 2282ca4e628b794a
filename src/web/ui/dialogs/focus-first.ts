// The part of a whole page in a dialog that has the focus first, such as a log, which may be loaded
// after the dialog has opened.

import { useEffect, type RefObject } from 'react';

const mark = 'data-focus-first';

/** The props of the part. */
export const focusedFirst = { [mark]: true };

/** Gives the focus to the part, if it is there already. */
export const focusFirst = (content: Element): void =>
  content.querySelector<HTMLElement>(`[${mark}]`)?.focus({ preventScroll: true });

/** Takes the focus from the content of the dialog, if nobody has moved it meanwhile. */
export function useFocusFirst(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const holder = document.activeElement;
    if (holder?.matches('[data-autofocus]') && holder.contains(part.current)) focusFirst(holder);
  }, [part]);
}
