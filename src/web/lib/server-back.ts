const RETRY_MS = 3000;

const isBack = (): Promise<boolean> =>
  fetch('/api/ping').then(
    ({ ok }) => ok,
    () => false,
  );

/** Resolves when the server answers; tries again every three seconds. Rejects when aborted. */
export async function untilServerIsBack(signal?: AbortSignal): Promise<void> {
  while (!(await isBack())) {
    signal?.throwIfAborted();
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  signal?.throwIfAborted();
}

/**
 * Imports code that is loaded when it is needed. While the server is away, it waits. Rejects if the
 * code is not found on a server that answers, because that has another version.
 */
export const importWhenServerIsBack = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(() => untilServerIsBack().then(load));
