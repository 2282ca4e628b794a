// What the runner beside this server tells of itself. Its server hears it at once and starts it again
// when it ends, so nothing of this is kept in the database.

import { fail } from '../lib/errors.ts';
import type { Sign } from './signs.ts';

interface OwnSign extends Sign {
  /** The tasks that it has in hand. */
  taskIds: number[];
}

export class OwnSigns {
  #last: OwnSign | null = null;
  #time = -Infinity;
  readonly #first = Promise.withResolvers<void>();

  note(sign: OwnSign): void {
    // Another process is this runner by now: the one before it is about to end.
    if (!sign.is_new && this.#last && sign.session !== this.#last.session) {
      throw fail('runner.replaced');
    }
    this.#last = sign;
    this.#time = performance.now();
    if (!sign.is_new) this.#first.resolve();
  }

  /** Settles when it has asked for news a second time, and so has heard some. */
  get heard(): Promise<void> {
    return this.#first.promise;
  }

  /** Whether it has said anything yet. */
  get isHeard(): boolean {
    return this.#last !== null;
  }

  /** Milliseconds for which nothing was heard of it; infinite: it has said nothing yet. */
  get silence(): number {
    return performance.now() - this.#time;
  }

  /** What `ansible --version` says; empty: it is not installed, or not known yet. */
  get ansibleVersion(): string {
    return this.#last?.ansible_version ?? '';
  }

  get taskIds(): number[] {
    return this.#last?.taskIds ?? [];
  }
}
