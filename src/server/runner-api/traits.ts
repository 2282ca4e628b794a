// Caches the traits that runners last reported, for administrators. They are not stored: each server
// caches those of the runner beside it and of the remote runners that poll it.

import type { RunnerTraits } from '#shared/api/runner-api.ts';
import type { Runner } from '#shared/api/runners.ts';

export interface RunnerKnown extends RunnerTraits {
  ansible: string;
}

export class KnownTraits {
  readonly #remote = new Map<number, RunnerKnown>();
  #own: RunnerKnown | null = null;

  /** `id` is null for the runner beside this server. */
  note(id: number | null, ansible: string, traits: RunnerTraits | null): void {
    if (!traits) return;
    const known = { ...traits, ansible: ansible.split('\n')[0] ?? '' };
    if (id === null) this.#own = known;
    else this.#remote.set(id, known);
  }

  /** `ownId` is the id of this server among several; null if it is the only one. */
  of({ id, remote }: Pick<Runner, 'id' | 'remote'>, ownId: number | null): RunnerKnown | null {
    if (remote) return this.#remote.get(id) ?? null;
    return ownId === null || ownId === id ? this.#own : null;
  }
}
