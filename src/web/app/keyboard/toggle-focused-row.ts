/** Clicks the checkbox of the row with the focus. `toRow`: with Shift, which selects a range. */
export function toggleFocusedRow(toRow: boolean): void {
  const row = document.activeElement?.closest('[data-row-key]');
  const box = row?.querySelector('[data-selection] input[type="checkbox"]');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: toRow }));
}
