// Limits how many pieces of work run at once. The others wait in their order.

export class Slots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #idle: PromiseWithResolvers<void> | null = null;
  #working = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many pieces of work could begin now. */
  get free(): number {
    return this.#most - this.#working;
  }

  /** How many pieces of work run or wait. */
  get taken(): number {
    return this.#working + this.#waiting.length;
  }

  /** Runs the work in a slot. The signal ends only the wait for the slot; the work has to watch it itself. */
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

  /** Settles when no work runs. */
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

  /** Gives the slot to the next waiter. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#working -= 1;
    if (this.#working > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
