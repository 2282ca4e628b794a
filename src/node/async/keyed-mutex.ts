// Runs pieces of work with the same key one after the other, such as fetching into a mirror or filling a cache.

export class KeyedMutex {
  readonly #lastOfKey = new Map<string, Promise<unknown>>();

  /** Whether work with this key runs or waits. */
  isLocked(key: string): boolean {
    return this.#lastOfKey.has(key);
  }

  /**
   * Runs the work when all earlier work with the same key has ended. `signal` only aborts the wait; the
   * work has to watch it itself.
   */
  async runExclusive<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let hasBegun = false;
    const begin = (): Promise<T> => {
      signal?.throwIfAborted();
      hasBegun = true;
      return work();
    };
    const before = this.#lastOfKey.get(key) ?? Promise.resolve();
    const result = before.then(begin, begin);
    this.#lastOfKey.set(key, result);
    const forget = (): void => {
      if (this.#lastOfKey.get(key) === result) this.#lastOfKey.delete(key);
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
}
