import { useState, useSyncExternalStore } from 'react';
import type { LogStore } from './log-store.ts';

/** Renders again when lines arrive, at most once a frame. */
export function useLogChanges(store: LogStore): void {
  const [watch] = useState(() => (listener: () => void) => {
    let frame = 0;
    const unwatch = store.watch(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        listener();
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      unwatch();
    };
  });
  useSyncExternalStore(watch, store.version);
}
