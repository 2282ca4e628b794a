// Inspects the states of Terraform that a runner keeps. The runner may be connected to another server,
// so requests and results pass through the hub. Each has a time limit.

import { randomInt } from 'node:crypto';
import type { InspectionRequest, Inspection, InspectionResult } from '#shared/api/runner-api.ts';
import type { Hub, StateInspection } from '../live/hub.ts';

const INSPECTION_TIMEOUT_MS = 15_000;

// Random ids, so that no other inspection has the same id, neither of this server nor of another.
const [leastId, beyondIds] = [2 ** 31, 2 ** 47];

interface PendingInspection {
  inspection: Inspection;
  runnerId: number | null;
  /** The end of its time limit, in the time of `performance.now`. */
  end: number;
}

export class StateInspections {
  readonly #hub: Hub;
  readonly #waiting = new Map<number, PendingInspection>();
  readonly #listeners = new Set<(runnerId: number | null) => void>();
  readonly #ends: (() => void)[];

  constructor(hub: Hub) {
    this.#hub = hub;
    this.#ends = [
      hub.subscribe('inspection.requested', ({ inspectionId, runnerId, inspection }) => {
        this.#forgetOld();
        this.#waiting.set(inspectionId, {
          inspection,
          runnerId,
          end: performance.now() + INSPECTION_TIMEOUT_MS,
        });
        for (const listener of this.#listeners) listener(runnerId);
      }),
      hub.subscribe('inspection.completed', ({ inspectionId }) =>
        this.#waiting.delete(inspectionId),
      ),
    ];
  }

  /** Requests an inspection from a runner; null: no result in time. */
  async ask(
    runnerId: number | null,
    inspection: StateInspection,
  ): Promise<InspectionResult | null> {
    const inspectionId = randomInt(leastId, beyondIds);
    const { promise, resolve } = Promise.withResolvers<InspectionResult | null>();
    const end = this.#hub.subscribe('inspection.completed', (result) => {
      if (result.inspectionId === inspectionId && result.runnerId === runnerId) {
        resolve(result.seen);
      }
    });
    const late = setTimeout(() => resolve(null), INSPECTION_TIMEOUT_MS);
    this.#hub.publish('inspection.requested', { inspectionId, runnerId, inspection });
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      end();
    }
  }

  /** The inspections that a runner should begin now; `known` are the ids of those that it has begun. */
  list(runnerId: number | null, known: number[]): InspectionRequest[] {
    this.#forgetOld();
    return [...this.#waiting]
      .filter(([id, one]) => one.runnerId === runnerId && !known.includes(id))
      .map(([id, { inspection, end }]) => {
        const time = Math.max(1, Math.round(end - performance.now()));
        return { look_id: id, look: inspection, time, sealed: null };
      });
  }

  /** Publishes the result of an inspection. */
  answer(runnerId: number | null, inspectionId: number, seen: InspectionResult): void {
    if (inspectionId < leastId) return;
    const short = seen.kind === 'failed' ? { ...seen, reason: seen.reason.slice(0, 1000) } : seen;
    this.#hub.publish('inspection.completed', { inspectionId, runnerId, seen: short });
  }

  /** Notifies the listener when the list of a runner may have changed; returns the unsubscribe function. */
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
