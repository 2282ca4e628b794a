// Keeps the inspections that wait for the runner beside this server. Few run at once, and each has a time
// limit. A person has one of them at once, and so has a project, so that what one looks at slowly keeps
// nobody else waiting; the others wait in turn, those of the project that was served longest ago first.

import type { InspectionRequest, Inspection, InspectionResult } from '#shared/api/runner-api.ts';
import { noGitKeys, type GitKeys } from '../../runner/api/run-secrets.ts';
import { fail } from '../lib/errors.ts';

/** The time limit of an inspection of a person, in milliseconds. */
export const INSPECTION_TIMEOUT_MS = 20_000;

// How many inspections of people run at once, and how many of a project, and of all, may run or wait.
const MAX_CONCURRENT_INSPECTIONS = 2;
const MAX_INSPECTIONS_PER_PROJECT = 6;
const MAX_PENDING_INSPECTIONS = 48;

/** Who waits for an inspection. */
export interface InspectionUser {
  userId: number | null;
  projectId: number;
}

interface PendingInspection {
  id: number;
  inspection: Inspection;
  /** Null: no person waits. */
  asker: InspectionUser | null;
  /** Whether it has got its place among those of people. */
  isServed: boolean;
  sealed: string | null;
  /** The end of its time limit, in the time of `performance.now`. */
  end: number;
  settle: (seen: InspectionResult) => void;
}

export interface InspectionOptions {
  /** The time limit in milliseconds. */
  time?: number;
  /** Fires when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** The person who waits; absent: none does. */
  asker?: InspectionUser;
}

export type ResultOf<Kind extends Inspection['kind']> = Extract<
  InspectionResult,
  { kind: Kind }
>['seen'];

/** Seals keys so that only the runner can open them, and only for this inspection. */
type Seal = (inspectionId: number, keys: GitKeys) => Promise<string>;

export class InspectionQueue {
  readonly #seal: Seal;
  readonly #waiting = new Map<number, PendingInspection>();
  /** The projects that were served, the one that was served last at the end. */
  readonly #served = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #count = 0;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Waits for the answer. Throws when too many inspections wait, when it takes too long, or when the inspection failed. */
  async ask<Kind extends Inspection['kind']>(
    inspection: Extract<Inspection, { kind: Kind }>,
    keys: GitKeys,
    { time = INSPECTION_TIMEOUT_MS, signal, asker }: InspectionOptions = {},
  ): Promise<ResultOf<Kind>> {
    const seconds = time / 1000;
    if (asker) this.#checkRoom(asker);
    const late = AbortSignal.timeout(time);
    const id = (this.#count += 1);
    const { promise, resolve, reject } = Promise.withResolvers<InspectionResult>();
    const giveUp = (): void => reject(fail('request.too_slow', { seconds }));
    const over = signal ? AbortSignal.any([late, signal]) : late;
    over.addEventListener('abort', giveUp, { once: true });
    const sealed = keys === noGitKeys ? null : await this.#seal(id, keys);
    const end = performance.now() + time;
    this.#waiting.set(id, {
      id,
      inspection,
      asker: asker ?? null,
      isServed: false,
      sealed,
      end,
      settle: resolve,
    });
    if (over.aborted) giveUp();
    this.#notifyListeners();
    try {
      const seen = await promise;
      if (late.aborted) throw fail('request.too_slow', { seconds });
      if (seen.kind === 'failed') throw new Error(seen.reason);
      return seen.seen as ResultOf<Kind>;
    } finally {
      this.#waiting.delete(id);
      if (this.#ofPeople().length === 0) this.#served.clear();
      over.removeEventListener('abort', giveUp);
      this.#notifyListeners();
    }
  }

  #checkRoom({ projectId }: InspectionUser): void {
    const people = this.#ofPeople();
    const ofProject = people.filter(({ asker }) => asker.projectId === projectId);
    if (
      people.length >= MAX_PENDING_INSPECTIONS ||
      ofProject.length >= MAX_INSPECTIONS_PER_PROJECT
    ) {
      throw fail('request.too_many_looks');
    }
  }

  #ofPeople(): (PendingInspection & { asker: InspectionUser })[] {
    return [...this.#waiting.values()].filter((one) => one.asker !== null) as never;
  }

  /** Gives free places to those whose turn it is. */
  #serve(): void {
    const people = this.#ofPeople();
    for (;;) {
      const served = people.filter(({ isServed }) => isServed);
      if (served.length >= MAX_CONCURRENT_INSPECTIONS) return;
      const isBusy = ({ userId, projectId }: InspectionUser): boolean =>
        served.some(({ asker }) => asker.userId === userId || asker.projectId === projectId);
      const order = [...this.#served];
      const [next] = people
        .filter(({ isServed, asker }) => !isServed && !isBusy(asker))
        .toSorted(
          ({ asker: one }, { asker: other }) =>
            order.indexOf(one.projectId) - order.indexOf(other.projectId),
        );
      if (!next) return;
      next.isServed = true;
      this.#served.delete(next.asker.projectId);
      this.#served.add(next.asker.projectId);
    }
  }

  /** The inspections that the runner should begin now; `known` are the ids of those that it has begun. */
  list(known: number[]): InspectionRequest[] {
    this.#serve();
    return [...this.#waiting.values()]
      .filter(({ asker, isServed }) => asker === null || isServed)
      .filter(({ id }) => !known.includes(id))
      .map(({ id, inspection, sealed, end }) => {
        const time = Math.max(1, Math.round(end - performance.now()));
        return { look_id: id, look: inspection, time, sealed };
      });
  }

  /** Passes the runner's answer to whoever waits for it, if anybody still does. */
  settle(id: number, seen: InspectionResult): void {
    const waiting = this.#waiting.get(id);
    if (waiting && (seen.kind === waiting.inspection.kind || seen.kind === 'failed'))
      waiting.settle(seen);
  }

  /** Calls back when the list may have changed; returns the function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
