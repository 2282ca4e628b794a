// Looks at the states of Terraform that a runner keeps. The runner may be connected to another server, so
// looks and answers pass through the hub. Each has a time limit.

import { randomInt } from 'node:crypto';
import type { AskedLook, Look, Seen } from '#shared/api/runner-api.ts';
import type { Hub, StateLook } from '../live/hub.ts';

const lookTimeMs = 15_000;

// Ids that no other look has, neither of this server nor of another.
const [leastId, beyondIds] = [2 ** 31, 2 ** 47];

interface Waiting {
  look: Look;
  runnerId: number | null;
  /** The end of its time limit, in the time of `performance.now`. */
  end: number;
}

export class StateLooks {
  readonly #hub: Hub;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(runnerId: number | null) => void>();
  readonly #ends: (() => void)[];

  constructor(hub: Hub) {
    this.#hub = hub;
    this.#ends = [
      hub.subscribe('look', ({ lookId, runnerId, look }) => {
        this.#forgetOld();
        this.#waiting.set(lookId, { look, runnerId, end: performance.now() + lookTimeMs });
        for (const listener of this.#listeners) listener(runnerId);
      }),
      hub.subscribe('looked', ({ lookId }) => this.#waiting.delete(lookId)),
    ];
  }

  /** Asks a runner; null: it does not answer in time. */
  async ask(runnerId: number | null, look: StateLook): Promise<Seen | null> {
    const lookId = randomInt(leastId, beyondIds);
    const { promise, resolve } = Promise.withResolvers<Seen | null>();
    const end = this.#hub.subscribe('looked', (answer) => {
      if (answer.lookId === lookId && answer.runnerId === runnerId) resolve(answer.seen);
    });
    const late = setTimeout(() => resolve(null), lookTimeMs);
    this.#hub.publish('look', { lookId, runnerId, look });
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      end();
    }
  }

  /** The looks that a runner should begin now; `known` are the ids of those that it has begun. */
  list(runnerId: number | null, known: number[]): AskedLook[] {
    this.#forgetOld();
    return [...this.#waiting]
      .filter(([id, one]) => one.runnerId === runnerId && !known.includes(id))
      .map(([id, { look, end }]) => {
        const time = Math.max(1, Math.round(end - performance.now()));
        return { look_id: id, look, time, sealed: null };
      });
  }

  /** Passes on what a runner has answered. */
  answer(runnerId: number | null, lookId: number, seen: Seen): void {
    if (lookId < leastId) return;
    const short = seen.kind === 'failed' ? { ...seen, reason: seen.reason.slice(0, 1000) } : seen;
    this.#hub.publish('looked', { lookId, runnerId, seen: short });
  }

  /** Calls back when the list of a runner may have changed; answers the function that removes the listener. */
  onChange(listener: (runnerId: number | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #forgetOld(): void {
    const now = performance.now();
    for (const [id, { end }] of this.#waiting) if (end <= now) this.#waiting.delete(id);
  }

  close(): void {
    for (const end of this.#ends) end();
  }
}
