// Wakes one waiter when there is news. A bell remembers one ring, so that a ring between two waits
// is not lost.

export class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  /** The bell also rings when the signal fires. */
  constructor(signal?: AbortSignal) {
    signal?.addEventListener('abort', this.ring, { once: true });
  }

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake?.();
  };

  /**
   * Settles with the next ring, or at once if it has rung since the last wait. False: the time has
   * passed without one.
   */
  async wait(longestMs?: number): Promise<boolean> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const late = longestMs === undefined ? undefined : setTimeout(resolve, longestMs);
      await promise;
      clearTimeout(late);
    }
    const hasRung = this.#isRung;
    this.#wake = null;
    this.#isRung = false;
    return hasRung;
  }
}
