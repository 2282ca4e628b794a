// A fair queue of inspections for the runner beside this server, each with a time limit. At most one per
// person and one per project run at once, so that a slow one delays no other project; the project that
// was served longest ago is next.

import type { InspectionRequest, Inspection, InspectionResult } from '#shared/api/runner-api.ts';
import { noGitKeys, type GitKeys } from '../../runner/api/run-secrets.ts';
import { fail } from '../lib/errors.ts';

export const INSPECTION_TIMEOUT_MS = 20_000;

// Of inspections that people request; the last two include those that run.
const MAX_CONCURRENT_INSPECTIONS = 2;
const MAX_INSPECTIONS_PER_PROJECT = 6;
const MAX_PENDING_INSPECTIONS = 48;

export interface InspectionUser {
  userId: number | null;
  projectId: number;
}

interface PendingInspection {
  id: number;
  inspection: Inspection;
  asker: InspectionUser | null;
  /** Whether it occupies one of the places for people. */
  isServed: boolean;
  sealed: string | null;
  /** The end of its time limit, in the time of `performance.now`. */
  end: number;
  settle: (seen: InspectionResult) => void;
}

export interface InspectionOptions {
  /** The time limit in milliseconds. */
  time?: number;
  /** Fires when the result is no longer needed. */
  signal?: AbortSignal;
  /** The person who waits; absent for schedules. */
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
  /** The ids of projects, least recently served first. */
  readonly #served = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #count = 0;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Throws when too many inspections wait, on a timeout, and when the inspection failed. */
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
    const expire = (): void => reject(fail('request.too_slow', { seconds }));
    const over = signal ? AbortSignal.any([late, signal]) : late;
    over.addEventListener('abort', expire, { once: true });
    const sealed = keys === noGitKeys ? null : await this.#seal(id, keys);
    const end = performance.now() + time;
    const pending = { id, inspection, asker: asker ?? null, sealed, end, settle: resolve };
    this.#waiting.set(id, { ...pending, isServed: false });
    if (over.aborted) expire();
    this.#notifyListeners();
    try {
      const seen = await promise;
      if (late.aborted) throw fail('request.too_slow', { seconds });
      if (seen.kind === 'failed') throw new Error(seen.reason);
      return seen.seen as ResultOf<Kind>;
    } finally {
      this.#waiting.delete(id);
      if (this.#ofPeople().length === 0) this.#served.clear();
      over.removeEventListener('abort', expire);
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

  /** Assigns free places in the fair order. */
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

  /** Resolves the pending request with the runner's result, if it still waits. */
  settle(id: number, seen: InspectionResult): void {
    const waiting = this.#waiting.get(id);
    if (waiting && (seen.kind === waiting.inspection.kind || seen.kind === 'failed'))
      waiting.settle(seen);
  }

  /** Notifies the listener when the list may have changed; returns the unsubscribe function. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
