// Runs pieces of work with the same key one after the other, such as fetching into a mirror or filling a cache.

const lastOfKey = new Map<string, Promise<unknown>>();

/** Runs the work when all earlier work with the same key has ended. `signal` only aborts the wait. */
export async function runExclusive<T>(
  key: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let hasBegun = false;
  const begin = (): Promise<T> => {
    signal?.throwIfAborted();
    hasBegun = true;
    return work();
  };
  const before = lastOfKey.get(key) ?? Promise.resolve();
  const result = before.then(begin, begin);
  lastOfKey.set(key, result);
  const forget = (): void => {
    if (lastOfKey.get(key) === result) lastOfKey.delete(key);
  };
  result.then(forget, forget);
  if (!signal) return result;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    if (!hasBegun) aborted.reject(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([result, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
