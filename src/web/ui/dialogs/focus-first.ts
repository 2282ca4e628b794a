// The part of a whole-page dialog that has the focus first, such as a log, which may be loaded
// after the dialog has opened.

import { useEffect, type RefObject } from 'react';

const mark = 'data-focus-first';

export const focusedFirst = { [mark]: true };

/** Focuses the part, if it is mounted already. */
export const focusFirst = (content: Element): void =>
  content.querySelector<HTMLElement>(`[${mark}]`)?.focus({ preventScroll: true });

/** Focuses the part when it is mounted, if the focus is still on the content of the dialog. */
export function useFocusFirst(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const holder = document.activeElement;
    if (holder?.matches('[data-autofocus]') && holder.contains(part.current)) focusFirst(holder);
  }, [part]);
}
