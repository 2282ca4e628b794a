// Answers looks: short questions of people or schedules for which a program has to be started, which
// only the runner does. Each look has a private folder and ends when its signal fires.

import type { Look, Seen } from '#shared/api/runner-api.ts';
import type { RunnerConfig } from '../system/config.ts';
import { makeDemo } from '../git/demo-repository.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { inLookPlace, type LookPlace } from './look-place.ts';
import { seeStates } from './kept-states.ts';
import { previewInventory } from './preview-inventory.ts';
import { seeCommits } from './see-commits.ts';
import { seeKey } from './see-key.ts';
import { seeFiles } from './see-files.ts';
import { seeBranches, seeHead } from './see-repository.ts';
import { takeState } from './take-state.ts';

/** Answers looks until the runner ends, which ends those under way and leaves none of their folders. */
export class Looks {
  readonly #config: RunnerConfig;
  readonly #end = new AbortController();
  readonly #underWay = new Set<Promise<Seen>>();

  constructor(config: RunnerConfig) {
    this.#config = config;
  }

  /**
   * `keys` are those of the repository, if the look is at one; `time` is its limit in milliseconds.
   * Null: the runner ends, and the next one may answer the look.
   */
  async at(look: Look, keys: GitKeys, time: number): Promise<Seen | null> {
    const signal = AbortSignal.any([AbortSignal.timeout(time), this.#end.signal]);
    const seeing = lookAt(this.#config, look, keys, signal);
    this.#underWay.add(seeing);
    const seen = await seeing;
    this.#underWay.delete(seeing);
    return this.#end.signal.aborted ? null : seen;
  }

  /** Settles when the folders of all looks are removed. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#underWay);
  }
}

async function lookAt(
  config: RunnerConfig,
  look: Look,
  keys: GitKeys,
  signal: AbortSignal,
): Promise<Seen> {
  try {
    return await inLookPlace(config, signal, (place) => see(place, look, keys));
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function see(place: LookPlace, look: Look, keys: GitKeys): Promise<Seen> {
  switch (look.kind) {
    case 'branches':
      return { kind: 'branches', seen: await seeBranches(place, look, keys) };
    case 'files':
      return { kind: 'files', seen: await seeFiles(place, look, keys) };
    case 'head':
      return { kind: 'head', seen: await seeHead(place, look, keys) };
    case 'commits':
      return { kind: 'commits', seen: await seeCommits(place, look, keys) };
    case 'inventory':
      return { kind: 'inventory', seen: await previewInventory(place, look) };
    case 'key':
      return { kind: 'key', seen: await seeKey(place, keys.own) };
    case 'demo_repository':
      return { kind: 'demo_repository', seen: await makeDemo(place.config, look.name) };
    case 'states':
      return { kind: 'states', seen: await seeStates(place.config, look) };
    case 'take_state':
      return { kind: 'take_state', seen: await takeState(place.config, look) };
  }
}
