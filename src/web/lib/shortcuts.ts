// Single-key shortcuts. They can be switched off, because they disturb users of speech recognition.

const storageKey = 'shortcuts';

export const areShortcutsOn = (): boolean => localStorage.getItem(storageKey) !== 'off';

export function switchShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of the command palette, as the keyboard shows them. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

/** Whether the focus is in an input, where single keys are text. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** The topmost dialog, which disables the keys of the screen. */
const topDialog = (): Element | undefined =>
  [...document.querySelectorAll('[role="dialog"]')].at(-1);

/** The time for the second key after `g`, in ms. */
const chordLimit = 1500;

interface Keys {
  /** The action of a key; `g t` is t after g. */
  [keys: string]: () => void;
}

const isPalette = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k';

const isPlain = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;

/** Calls the action of each key until the returned function is called. */
function onKey(actionOf: (event: KeyboardEvent) => (() => void) | undefined): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actionOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

const isShortcut = (event: KeyboardEvent): boolean =>
  isPlain(event) && areShortcutsOn() && !isTyping(event);

/** Listens to keys while the dialog of an element is above all others. */
export const listenInDialog = (element: Element, keys: Keys): (() => void) =>
  onKey((event) =>
    isShortcut(event) && topDialog()?.contains(element) ? keys[event.key] : undefined,
  );

const isPrint = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'p';

/** Listens to the browser's keys for printing while nothing is above the element. */
export const listenToPrintKeys = (element: Element, print: () => void): (() => void) =>
  onKey((event) =>
    isPrint(event) && (topDialog()?.contains(element) ?? true) ? print : undefined,
  );

/** Listens to keys until the returned function is called. */
export function listen(keys: Keys, onPalette: () => void): () => void {
  let first = '';
  let pressedAt = 0;
  const actionOf = ({ key, timeStamp }: KeyboardEvent): (() => void) | undefined => {
    const isSecond = first !== '' && timeStamp - pressedAt < chordLimit;
    const action = keys[isSecond ? `${first} ${key}` : key];
    first = !isSecond && key === 'g' ? key : '';
    pressedAt = timeStamp;
    return action;
  };
  return onKey((event) => {
    if (isPalette(event)) return onPalette;
    return isShortcut(event) && !topDialog() ? actionOf(event) : undefined;
  });
}
