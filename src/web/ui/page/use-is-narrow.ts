import { useSyncExternalStore } from 'react';

const query = '(max-width: 720px)';

function watch(listener: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** Whether rows take two lines, because columns do not fit. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(watch, () => matchMedia(query).matches);
