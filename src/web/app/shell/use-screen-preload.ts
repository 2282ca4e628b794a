import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

// The screen that was opened, with its data, comes first.
const DELAY_MS = 3000;

/** Resolves when the page has nothing else to do. Safari does not tell, and gets a moment instead. */
const untilIdle = (): Promise<unknown> =>
  new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, 100),
  );

const isSavingData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Loads the code of the screens of projects while the page is idle, so that they open at once, also
 * while the server is away. It does nothing for those who save data.
 */
export function useScreenPreload(): void {
  const router = useRouter();
  useEffect(() => {
    const stop = new AbortController();
    if (isSavingData()) return;
    const start = setTimeout(async () => {
      const screens = Object.values(router.routesById).filter(({ id }) =>
        id.includes('$projectId/'),
      );
      for (const screen of screens) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, between which clicks count
        await untilIdle();
        if (stop.signal.aborted) return;
        // oxlint-disable-next-line no-await-in-loop
        await router.loadRouteChunk(screen);
      }
    }, DELAY_MS);
    return () => {
      stop.abort();
      clearTimeout(start);
    };
  }, [router]);
}
