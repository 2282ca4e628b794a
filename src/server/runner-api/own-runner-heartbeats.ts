// Caches the last heartbeat of the runner beside this server. The server restarts this runner itself, so
// its heartbeats are not stored in the database.

import { fail } from '../lib/errors.ts';
import type { Heartbeat } from './record-heartbeat.ts';

interface OwnHeartbeat extends Heartbeat {
  /** The ids of the tasks whose leases it holds. */
  taskIds: number[];
}

export class OwnRunnerHeartbeats {
  #last: OwnHeartbeat | null = null;
  #time = -Infinity;
  readonly #first = Promise.withResolvers<void>();

  record(sign: OwnHeartbeat): void {
    // A newer process of this runner has started, so the process of this request has to end.
    if (!sign.is_new && this.#last && sign.session !== this.#last.session) {
      throw fail('runner.replaced');
    }
    this.#last = sign;
    this.#time = performance.now();
    if (!sign.is_new) this.#first.resolve();
  }

  /** Settles with the second poll: the runner has received the first response. */
  get confirmed(): Promise<void> {
    return this.#first.promise;
  }

  get hasPolled(): boolean {
    return this.#last !== null;
  }

  /** Infinity before the first heartbeat. */
  get msSinceLast(): number {
    return performance.now() - this.#time;
  }

  /** The output of `ansible --version`; empty: not installed, or not reported yet. */
  get ansibleVersion(): string {
    return this.#last?.ansible_version ?? '';
  }

  get taskIds(): number[] {
    return this.#last?.taskIds ?? [];
  }
}
