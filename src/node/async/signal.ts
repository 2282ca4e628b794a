// Wakes one waiter. A notification between two waits is remembered, so that it is not lost.

export class Signal {
  #isNotified = false;
  #wake: (() => void) | null = null;

  /** `abort` notifies too when it fires. */
  constructor(abort?: AbortSignal) {
    abort?.addEventListener('abort', this.notify, { once: true });
  }

  readonly notify = (): void => {
    this.#isNotified = true;
    this.#wake?.();
  };

  /** Settles with the next notification, or at once if there was one since the last wait. False: timeout. */
  async wait(timeoutMs?: number): Promise<boolean> {
    if (!this.#isNotified) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
    }
    const isNotified = this.#isNotified;
    this.#wake = null;
    this.#isNotified = false;
    return isNotified;
  }
}
