import { watch } from 'node:fs';
import { Signal } from '../async/signal.ts';

/** `abort` ends a wait too. */
export function watchFiles(folder: string, files: string[], abort: AbortSignal) {
  const changed = new Signal(abort);
  const watcher = watch(folder, (_event, name) => {
    // Not every system reports the name.
    if (name === null || files.includes(name)) changed.notify();
  });
  watcher.on('error', () => undefined);
  return {
    /** Waits for a change. Some file systems report none, so callers also check without one. */
    wait: (timeoutMs?: number) => changed.wait(timeoutMs),
    close: () => watcher.close(),
  };
}
