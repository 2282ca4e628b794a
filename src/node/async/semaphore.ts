// Limits how many pieces of work run at once. The others wait in FIFO order.

export class Semaphore {
  readonly #limit: number;
  readonly #queue: (() => void)[] = [];
  #idle: PromiseWithResolvers<void> | null = null;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many runs could begin now. */
  get available(): number {
    return this.#limit - this.#running;
  }

  /** How many runs are in progress or waiting. */
  get pending(): number {
    return this.#running + this.#queue.length;
  }

  /** Runs the work when the limit allows it. `signal` only aborts the wait. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#limit) this.#running += 1;
    else await this.#enqueue(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Settles when nothing runs. */
  async whenIdle(): Promise<void> {
    if (this.#running === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #enqueue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#queue.splice(this.#queue.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.push(begin);
    });
  }

  /** Passes the slot to the next waiter. */
  #release(): void {
    const next = this.#queue.shift();
    if (next) return next();
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
