// Toasts: short messages at the bottom of the page, which disappear. A list keeps them until a
// reload.

const closeAfterMs = 3000;
const MAX_SHOWN = 3;
const MAX_KEPT = 50;

export interface Toast {
  id: number;
  message: string;
  isError: boolean;
  time: string;
}

/** What pauses the timers of toasts. */
type Hold = 'pointer' | 'focus';

export interface ToastState {
  /** The visible toasts, the newest last. */
  shown: readonly Toast[];
  /** All toasts since the reload, the newest first. */
  kept: readonly Toast[];
  unread: number;
}

/** Pure except for its timers, so that each test has its own toasts. */
export function makeToasts() {
  let state: ToastState = { shown: [], kept: [], unread: 0 };
  let count = 0;
  const holds = new Set<Hold>();
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  const become = (next: Partial<ToastState>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const stopTimer = (id: number): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
  const startTimer = (id: number): void => {
    stopTimer(id);
    timers.set(
      id,
      setTimeout(() => close(id), closeAfterMs),
    );
  };
  /** Pauses the timers while a toast is hovered or has the focus. */
  const hold = (by: Hold): void => {
    holds.add(by);
    for (const { id } of state.shown) stopTimer(id);
  };
  const release = (by: Hold): void => {
    if (!holds.delete(by) || holds.size > 0) return;
    for (const { id } of state.shown) startTimer(id);
  };
  function close(id: number): void {
    stopTimer(id);
    become({ shown: state.shown.filter((toast) => toast.id !== id) });
    // Browsers send no event when a hovered or focused element is removed.
    release('pointer');
    release('focus');
  }
  function show(message: string, isError: boolean): void {
    count += 1;
    const toast = { id: count, message, isError, time: new Date().toISOString() };
    const shown = [...state.shown, toast];
    for (const { id } of shown.slice(0, -MAX_SHOWN)) stopTimer(id);
    become({
      shown: shown.slice(-MAX_SHOWN),
      kept: [toast, ...state.kept].slice(0, MAX_KEPT),
      unread: state.unread + (isError ? 1 : 0),
    });
    if (holds.size === 0) startTimer(toast.id);
  }
  return {
    show,
    close,
    hold,
    release,
    markRead: (): void => become({ unread: 0 }),
    state: (): ToastState => state,
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const toasts = makeToasts();

export const toast = (message: string): void => toasts.show(message, false);

export const toastError = (message: string): void => toasts.show(message, true);
