// Remembers the last heartbeat of the runner beside this server. Its server starts it again when it
// ends, so its heartbeats are not stored in the database.

import { fail } from '../lib/errors.ts';
import type { Heartbeat } from './record-heartbeat.ts';

interface OwnHeartbeat extends Heartbeat {
  /** The ids of the tasks that it holds. */
  taskIds: number[];
}

export class OwnRunnerHeartbeats {
  #last: OwnHeartbeat | null = null;
  #time = -Infinity;
  readonly #first = Promise.withResolvers<void>();

  record(sign: OwnHeartbeat): void {
    // A newer process of this runner has started, so the process that asks has to end.
    if (!sign.is_new && this.#last && sign.session !== this.#last.session) {
      throw fail('runner.replaced');
    }
    this.#last = sign;
    this.#time = performance.now();
    if (!sign.is_new) this.#first.resolve();
  }

  /** Settles with the second request for news, when the runner has received the first answer. */
  get confirmed(): Promise<void> {
    return this.#first.promise;
  }

  /** Whether the runner has asked for news yet. */
  get hasPolled(): boolean {
    return this.#last !== null;
  }

  /** Milliseconds since the last heartbeat; Infinity: there was none yet. */
  get msSinceLast(): number {
    return performance.now() - this.#time;
  }

  /** The output of `ansible --version`; empty: Ansible is not installed, or the output is not known yet. */
  get ansibleVersion(): string {
    return this.#last?.ansible_version ?? '';
  }

  get taskIds(): number[] {
    return this.#last?.taskIds ?? [];
  }
}
