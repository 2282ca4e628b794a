import { useSyncExternalStore } from 'react';

const query = '(max-width: 720px)';

function watch(listener: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** Whether the screen has no room for columns, so that a row takes two lines. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(watch, () => matchMedia(query).matches);
