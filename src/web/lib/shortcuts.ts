// Single keys that do something on every screen. They can be switched off, since they get in the
// way of those who speak to their computer.

const storageKey = 'shortcuts';

export const areShortcutsOn = (): boolean => localStorage.getItem(storageKey) !== 'off';

export function switchShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
}

/** Whether the focus is in an input or in a dialog, where single keys are no shortcuts. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    document.querySelector('[role="dialog"]') !== null
  );
}

/** How long after `g` the second key may come, in ms. */
const chordLimit = 1500;

interface Keys {
  /** What a key does; `g t` is t after g. */
  [keys: string]: () => void;
}

const isPalette = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k';

const isPlain = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;

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
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOurs = isPlain(event) && areShortcutsOn() && !isTyping(event);
    const act = isPalette(event) ? onPalette : isOurs ? actionOf(event) : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}
