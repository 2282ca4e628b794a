// The state machine of a workflow run, on a graph and the states of its nodes. All functions are pure.

import type { EdgeCondition } from '#shared/workflows/graph.ts';
import type { NodeState } from '#shared/workflows/run-status.ts';

/** The part of a graph that the engine needs. Acyclic. */
export interface Shape {
  nodes: readonly { key: string; join: 'all' | 'any' }[];
  edges: readonly ShapeEdge[];
}

interface ShapeEdge {
  from: string;
  to: string;
  when: EdgeCondition;
}

export interface Progress {
  /** The state of every node. */
  states: ReadonlyMap<string, NodeState>;
  /** No further node begins. */
  isStopping: boolean;
}

export type RunEvent =
  | { type: 'started' }
  /** An active node has ended. */
  | { type: 'ended'; node: string; outcome: 'success' | 'failure' }
  | { type: 'stopped' };

/** A node that begins or is skipped, and the nodes that decided it. */
export interface Decision {
  node: string;
  because: string[];
}

export interface Step {
  progress: Progress;
  begin: Decision[];
  skip: Decision[];
  /** The status of an ended run; null: it goes on. */
  end: 'success' | 'error' | 'stopped' | null;
}

/**
 * Computes the step that follows from an event. An event about a node that is not active changes nothing.
 * The nodes to begin are `active` in the result, so each begins exactly once.
 */
export function next(shape: Shape, before: Progress, event: RunEvent): Step {
  const states = new Map(before.states);
  const isStopping = before.isStopping || event.type === 'stopped';
  if (event.type === 'ended' && states.get(event.node) === 'active') {
    states.set(event.node, event.outcome);
  }
  const [begin, skip] = isStopping ? [[], []] : decide(shape, states);
  const isActive = [...states.values()].includes('active');
  if (isStopping && !isActive) skipRest(states, skip);
  const end = isActive ? null : isStopping ? 'stopped' : outcomeOf(shape, states);
  return { progress: { states, isStopping }, begin, skip, end };
}

/** Begins and skips all decided nodes, and updates their states. */
function decide(shape: Shape, states: Map<string, NodeState>): [Decision[], Decision[]] {
  const begin: Decision[] = [];
  const skip: Decision[] = [];
  for (const node of inOrder(shape)) {
    if (states.get(node.key) !== 'idle') continue;
    const edges = shape.edges.filter(({ to }) => to === node.key);
    const decided = decideNode(node.join, edges, states);
    if (!decided) continue;
    const decision = { node: node.key, because: decided.because.map(({ from }) => from) };
    states.set(node.key, decided.begins ? 'active' : 'skipped');
    (decided.begins ? begin : skip).push(decision);
  }
  return [begin, skip];
}

interface Decided {
  begins: boolean;
  because: ShapeEdge[];
}

/** Null: it depends on nodes that have not ended. */
function decideNode(
  join: 'all' | 'any',
  edges: ShapeEdge[],
  states: ReadonlyMap<string, NodeState>,
): Decided | null {
  if (edges.length === 0) return { begins: true, because: [] };
  const held = edges.filter((edge) => holds(edge, states) === true);
  const failed = edges.filter((edge) => holds(edge, states) === false);
  if (join === 'any') {
    if (held.length > 0) return { begins: true, because: held };
    return failed.length === edges.length ? { begins: false, because: failed } : null;
  }
  if (failed.length > 0) return { begins: false, because: failed };
  return held.length === edges.length ? { begins: true, because: held } : null;
}

/** Whether an edge holds; null: its first node has not ended. */
function holds({ from, when }: ShapeEdge, states: ReadonlyMap<string, NodeState>): boolean | null {
  const state = states.get(from);
  if (state === 'idle' || state === 'active') return null;
  return when === 'always' || state === when;
}

/** The nodes in topological order. */
function inOrder({ nodes, edges }: Shape): Shape['nodes'][number][] {
  const open = new Map(nodes.map(({ key }) => [key, 0]));
  for (const { to } of edges) open.set(to, (open.get(to) ?? 0) + 1);
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const ready = nodes.filter(({ key }) => open.get(key) === 0);
  // The list grows while it is read.
  for (const { key } of ready) {
    for (const { from, to } of edges) {
      if (from !== key) continue;
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      const node = byKey.get(to);
      if (left === 0 && node) ready.push(node);
    }
  }
  return ready;
}

function skipRest(states: Map<string, NodeState>, skip: Decision[]): void {
  for (const [node, state] of states) {
    if (state !== 'idle') continue;
    states.set(node, 'skipped');
    skip.push({ node, because: [] });
  }
}

/** A failure that a failure edge handles does not fail the run. */
function outcomeOf({ edges }: Shape, states: ReadonlyMap<string, NodeState>): 'success' | 'error' {
  const isForeseen = (key: string) =>
    edges.some(({ from, when }) => from === key && when === 'failure');
  const hasFailed = [...states].some(([key, state]) => state === 'failure' && !isForeseen(key));
  return hasFailed ? 'error' : 'success';
}

/** All transitive predecessors. */
export function nodesBefore({ edges }: Pick<Shape, 'edges'>, keys: Iterable<string>): Set<string> {
  const turned = edges.map(({ from, to, when }) => ({ from: to, to: from, when }));
  return nodesAfter({ edges: turned }, keys);
}

/** All transitive successors. */
export function nodesAfter({ edges }: Pick<Shape, 'edges'>, keys: Iterable<string>): Set<string> {
  const after = new Set<string>();
  const open = [...keys];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const { from, to } of edges) {
      if (from !== key || after.has(to)) continue;
      after.add(to);
      open.push(to);
    }
  }
  return after;
}
