// What becomes of a run of a workflow, in a few slow lines to compare the engine with.

import type { NodeState } from '#shared/workflows/run-status.ts';
import type { Shape } from '../../src/server/automation/workflows/engine/engine.ts';

export type States = Record<string, NodeState>;
export type When = Shape['edges'][number]['when'];

/** Whether an edge holds, does not hold, or is still open. */
function edgeIs(when: When, from: NodeState): 'held' | 'failed' | 'open' {
  const table: Record<NodeState, Record<When, 'held' | 'failed' | 'open'>> = {
    idle: { success: 'open', failure: 'open', always: 'open' },
    active: { success: 'open', failure: 'open', always: 'open' },
    success: { success: 'held', failure: 'failed', always: 'held' },
    failure: { success: 'failed', failure: 'held', always: 'held' },
    skipped: { success: 'failed', failure: 'failed', always: 'held' },
  };
  return table[from][when];
}

/** Decides one node at a time, until nothing changes; returns the nodes that begin. */
export function settle(shape: Shape, states: States, isStopping: boolean): string[] {
  const begun: string[] = [];
  for (let hasChanged = !isStopping; hasChanged;) {
    hasChanged = false;
    for (const { key, join } of shape.nodes) {
      if (states[key] !== 'idle') continue;
      const edges = shape.edges.filter((edge) => edge.to === key);
      const now = edges.map((edge) => edgeIs(edge.when, states[edge.from] ?? 'idle'));
      const enough =
        join === 'all'
          ? now.every((one) => one === 'held')
          : now.length === 0 || now.includes('held');
      const never =
        join === 'all'
          ? now.includes('failed')
          : now.length > 0 && now.every((one) => one === 'failed');
      if (!enough && !never) continue;
      states[key] = enough ? 'active' : 'skipped';
      if (enough) begun.push(key);
      hasChanged = true;
    }
  }
  return begun;
}

/** How a run ends; null: it goes on. */
export function modelEnd(shape: Shape, states: States, isStopping: boolean): string | null {
  if (Object.values(states).includes('active')) return null;
  if (isStopping) return 'stopped';
  const failed = Object.keys(states).filter((key) => states[key] === 'failure');
  const foreseen = shape.edges.filter(({ when }) => when === 'failure').map(({ from }) => from);
  return failed.some((key) => !foreseen.includes(key)) ? 'error' : 'success';
}
