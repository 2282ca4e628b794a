import { watch } from 'node:fs';
import { Bell } from './bell.ts';

export interface WatchedFiles {
  /** As the bell waits. Whoever must not miss a change looks also without one: some systems tell none. */
  wait: Bell['wait'];
  close: () => void;
}

/** Waits for changes of these files of the folder, or for the signal. */
export function watchFiles(folder: string, files: string[], signal: AbortSignal): WatchedFiles {
  const bell = new Bell(signal);
  const watcher = watch(folder, (_event, name) => {
    // Not every system tells the name.
    if (name === null || files.includes(name)) bell.ring();
  });
  watcher.on('error', () => undefined);
  return {
    wait: (longestMs) => bell.wait(longestMs),
    close() {
      watcher.close();
    },
  };
}
