// Runs inspections: short requests of people or schedules that start a program, as only the runner does. Each
// inspection has a private folder and ends when its signal fires.

import type { Inspection, InspectionResult } from '#shared/api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { makeDemo } from '../git/demo-repository.ts';
import type { GitKeys } from '../api/run-secrets.ts';
import { inInspectionWorkspace, type InspectionWorkspace } from './inspection-workspace.ts';
import { inspectStates, takeState } from './kept-states.ts';
import { previewInventory } from './preview-inventory.ts';
import { inspectKey } from './inspect-key.ts';
import {
  inspectBranches,
  inspectCommits,
  inspectFiles,
  inspectHead,
} from './inspect-repository.ts';

export class InspectionRunner {
  readonly #config: RunnerConfig;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<InspectionResult>>();

  constructor(config: RunnerConfig) {
    this.#config = config;
  }

  /**
   * `keys`: those of the repository, if any; `timeoutMs`: its limit. Null: the runner is closing, and the next
   * one may run the inspection.
   */
  async run(
    inspection: Inspection,
    keys: GitKeys,
    timeoutMs: number,
  ): Promise<InspectionResult | null> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#end.signal]);
    const running = runInspection(this.#config, inspection, keys, signal);
    this.#running.add(running);
    const result = await running;
    this.#running.delete(running);
    return this.#end.signal.aborted ? null : result;
  }

  /** Settles when the folders of all inspections are removed. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#running);
  }
}

async function runInspection(
  config: RunnerConfig,
  inspection: Inspection,
  keys: GitKeys,
  signal: AbortSignal,
): Promise<InspectionResult> {
  try {
    return await inInspectionWorkspace(config, signal, (place) => inspect(place, inspection, keys));
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function inspect(
  place: InspectionWorkspace,
  inspection: Inspection,
  keys: GitKeys,
): Promise<InspectionResult> {
  switch (inspection.kind) {
    case 'branches':
      return { kind: 'branches', seen: await inspectBranches(place, inspection, keys) };
    case 'files':
      return { kind: 'files', seen: await inspectFiles(place, inspection, keys) };
    case 'head':
      return { kind: 'head', seen: await inspectHead(place, inspection, keys) };
    case 'commits':
      return { kind: 'commits', seen: await inspectCommits(place, inspection, keys) };
    case 'inventory':
      return { kind: 'inventory', seen: await previewInventory(place, inspection) };
    case 'key':
      return { kind: 'key', seen: await inspectKey(place, keys.own) };
    case 'demo_repository':
      return { kind: 'demo_repository', seen: await makeDemo(place.config, inspection.name) };
    case 'states':
      return { kind: 'states', seen: await inspectStates(place.config, inspection) };
    case 'take_state':
      return { kind: 'take_state', seen: await takeState(place.config, inspection) };
  }
}
