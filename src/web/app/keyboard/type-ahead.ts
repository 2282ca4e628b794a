// Buffers typed text between the shortcut of the palette and its first render: the palette is
// lazy-loaded, and letters must not be lost or taken as shortcuts meanwhile.

type Edit = (text: string) => string;

const editOf = ({ key }: KeyboardEvent): Edit | null => {
  if (key === 'Backspace') return (text) => text.slice(0, -1);
  return key.length === 1 ? (text) => text + key : null;
};

/** Collects keys until an input of a dialog has the focus, or the user does something else. */
export function typeAhead(onEdit: (edit: Edit) => void): () => void {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const edit = editOf(event);
    if (edit) {
      event.preventDefault();
      event.stopImmediatePropagation();
      onEdit(edit);
    } else if (event.key !== 'Shift') stop();
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLInputElement && target.closest('[role="dialog"]')) stop();
  };
  const { signal } = controller;
  addEventListener('keydown', onKey, { capture: true, signal });
  addEventListener('focusin', onFocus, { signal });
  addEventListener('pointerdown', stop, { signal });
  return stop;
}
