// Work of which only a few pieces are done at once. The others wait in their order.

export class Slots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #idle: PromiseWithResolvers<void> | null = null;
  #working = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many pieces could begin now. */
  get free(): number {
    return this.#most - this.#working;
  }

  /** How many pieces are done or wait. */
  get taken(): number {
    return this.#working + this.#waiting.length;
  }

  /** A signal that fires ends the waiting at once; the work itself has to heed it. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#working < this.#most) this.#working += 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Settles when nothing is done any more. */
  async whenIdle(): Promise<void> {
    if (this.#working === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(begin);
    });
  }

  /** Hands the slot to the next one. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#working -= 1;
    if (this.#working > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
