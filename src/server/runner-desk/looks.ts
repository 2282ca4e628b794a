// Keeps the looks that wait for the runner beside this server. Few run at once, and each has a time
// limit.

import type { AskedLook, Look, Seen } from '#shared/api/runner-desk.ts';
import type { OpenKey } from '../../runner/desk/secrets.ts';
import { fail } from '../lib/errors.ts';

/** The time limit of a look of a person, in milliseconds. */
export const lookTime = 20_000;

// How many looks of people run at once, and how many may run or wait.
const mostAtOnce = 2;
const mostWaiting = 16;

const ofPeople: Look['kind'][] = ['branches', 'files', 'inventory', 'commits'];

interface Waiting {
  id: number;
  look: Look;
  sealed: string | null;
  /** The end of its time limit, in the time of `performance.now`. */
  end: number;
  settle: (seen: Seen) => void;
}

export interface AskOptions {
  /** The time limit in milliseconds. */
  time?: number;
  /** Fires when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

export type SeenBy<Kind extends Look['kind']> = Extract<Seen, { kind: Kind }>['seen'];

/** Seals a key so that only the runner can open it, and only for this look. */
type Seal = (lookId: number, key: OpenKey) => Promise<string>;

export class Looks {
  readonly #seal: Seal;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<() => void>();
  #count = 0;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Waits for the answer. Throws when too many looks wait, when it takes too long, or when the look failed. */
  async ask<Kind extends Look['kind']>(
    look: Extract<Look, { kind: Kind }>,
    key: OpenKey,
    { time = lookTime, signal }: AskOptions = {},
  ): Promise<SeenBy<Kind>> {
    const seconds = time / 1000;
    if (this.#countOfPeople() >= mostWaiting && ofPeople.includes(look.kind)) {
      throw fail('request.rate_limited', { seconds });
    }
    const late = AbortSignal.timeout(time);
    const id = (this.#count += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Seen>();
    const giveUp = (): void => reject(fail('request.too_slow', { seconds }));
    const over = signal ? AbortSignal.any([late, signal]) : late;
    over.addEventListener('abort', giveUp, { once: true });
    const sealed = key.type === 'none' ? null : await this.#seal(id, key);
    const end = performance.now() + time;
    this.#waiting.set(id, { id, look, sealed, end, settle: resolve });
    if (over.aborted) giveUp();
    this.#ring();
    try {
      const seen = await promise;
      if (late.aborted) throw fail('request.too_slow', { seconds });
      if (seen.kind === 'failed') throw new Error(seen.reason);
      return seen.seen as SeenBy<Kind>;
    } finally {
      this.#waiting.delete(id);
      over.removeEventListener('abort', giveUp);
      this.#ring();
    }
  }

  #countOfPeople(): number {
    return [...this.#waiting.values()].filter(({ look }) => ofPeople.includes(look.kind)).length;
  }

  /** The looks that the runner should begin now; `known` are the ids of those that it has begun. */
  list(known: number[]): AskedLook[] {
    const all = [...this.#waiting.values()];
    const ofPeopleNow = all.filter(({ look }) => ofPeople.includes(look.kind)).slice(0, mostAtOnce);
    return all
      .filter((one) => !ofPeople.includes(one.look.kind) || ofPeopleNow.includes(one))
      .filter(({ id }) => !known.includes(id))
      .map(({ id, look, sealed, end }) => {
        const time = Math.max(1, Math.round(end - performance.now()));
        return { look_id: id, look, time, sealed };
      });
  }

  /** Passes the runner's answer to whoever waits for it, if anybody still does. */
  settle(id: number, seen: Seen): void {
    const waiting = this.#waiting.get(id);
    if (waiting && (seen.kind === waiting.look.kind || seen.kind === 'failed'))
      waiting.settle(seen);
  }

  /** Calls back when the list may have changed; answers the function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #ring(): void {
    for (const listener of this.#listeners) listener();
  }
}
