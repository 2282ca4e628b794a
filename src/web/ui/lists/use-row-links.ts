// A click anywhere in a row opens what the link of its name opens. The link stays the only control
// of the row for keyboards and screen readers.

import { useCallback } from 'react';

const controls =
  'a, button, input, label, select, textarea, summary, [role="button"], [data-selection]';

/** The ref of an element with rows `[data-row-key]`, whose name is in `[data-row-name]`. */
export function useRowLinks() {
  return useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    element.addEventListener('click', onClick);
    element.addEventListener('auxclick', onMiddleClick);
    element.addEventListener('mousedown', preventScrolling);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('auxclick', onMiddleClick);
      element.removeEventListener('mousedown', preventScrolling);
    };
  }, []);
}

/** The link of the row; null for a click on a control, or outside of the rows of this element. */
function linkAt({ target, currentTarget }: MouseEvent): HTMLAnchorElement | null {
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return null;
  const row = target.closest('[data-row-key]');
  // A table below a row has rows of its own.
  if (!row || row.parentElement?.closest('table, ul') !== currentTarget) return null;
  if (target.closest(controls) || hasSelectedText(row)) return null;
  return row.querySelector<HTMLAnchorElement>('[data-row-name] a[href]');
}

function hasSelectedText(row: Element): boolean {
  const selection = getSelection();
  return (
    selection !== null && !selection.isCollapsed && selection.getRangeAt(0).intersectsNode(row)
  );
}

/** A tap on a time shows the exact time. */
const isTapOnTime = ({ target }: MouseEvent): boolean =>
  target instanceof Element &&
  target.closest('time') !== null &&
  matchMedia('(hover: none)').matches;

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.shiftKey || event.altKey || isTapOnTime(event)) return;
  const link = linkAt(event);
  if (!link) return;
  if (event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

function onMiddleClick(event: MouseEvent): void {
  const link = event.button === 1 ? linkAt(event) : null;
  if (link) window.open(link.href, '_blank', 'noopener');
}

/** A middle click would begin to scroll the page in some browsers. */
function preventScrolling(event: MouseEvent): void {
  if (event.button === 1 && linkAt(event)) event.preventDefault();
}
