// Runs pieces of work with the same key one after the other: fetching into a mirror, filling a cache.

const turns = new Map<string, Promise<unknown>>();

/**
 * Does the work when all earlier work of the same key has ended. A signal that fires ends the wait
 * at once; the work has to watch the signal itself.
 */
export async function inTurn<T>(
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
  const before = turns.get(key) ?? Promise.resolve();
  const turn = before.then(begin, begin);
  turns.set(key, turn);
  const forget = (): void => {
    if (turns.get(key) === turn) turns.delete(key);
  };
  turn.then(forget, forget);
  if (!signal) return turn;
  const given = Promise.withResolvers<never>();
  const giveUp = (): void => {
    if (!hasBegun) given.reject(signal.reason);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([turn, given.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
