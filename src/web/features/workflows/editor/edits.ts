// The changes that an editor makes to a graph. Pure functions.

import type { EdgeCondition, WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';

/** An edited workflow; an id of 0 means no choice yet. */
export interface Draft {
  name: string;
  description: string;
  view_id: number | null;
  graph: WorkflowGraph;
}

export const emptyDraft: Draft = {
  name: '',
  description: '',
  view_id: null,
  graph: { nodes: [], edges: [] },
};

/** A new node of this type with a unique key and name. */
export function newNode(
  { nodes }: WorkflowGraph,
  type: WorkflowNode['type'],
  name: string,
): WorkflowNode {
  const any = {
    key: freeKey(nodes),
    name: freeName(nodes, name),
    join: 'all',
    position: null,
  } as const;
  switch (type) {
    case 'template':
      return { ...any, type, template_id: 0, params: null, inputs: [], build_node: null };
    case 'approval':
      return {
        ...any,
        type,
        question: '',
        roles: ['owner', 'manager'],
        user_ids: [],
        not_launcher: false,
        fields: [],
        timeout_s: null,
        on_timeout: 'reject',
      };
    case 'wait':
      return { ...any, type, seconds: 60, until: null, time_zone: '' };
    case 'workflow':
      return { ...any, type, workflow_id: 0 };
  }
}

function freeKey(nodes: readonly WorkflowNode[]): string {
  const taken = new Set(nodes.map(({ key }) => key));
  let number = nodes.length + 1;
  while (taken.has(`n${number}`)) number += 1;
  return `n${number}`;
}

/** The name, with a number if another node has it. */
export function freeName(nodes: readonly WorkflowNode[], name: string): string {
  const taken = new Set(nodes.map((node) => node.name.toLowerCase()));
  if (!taken.has(name.toLowerCase())) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`.toLowerCase())) number += 1;
  return `${name} ${number}`;
}

/** Adds a node after another one, or without predecessor. */
export const withNode = (
  { nodes, edges }: WorkflowGraph,
  node: WorkflowNode,
  after: string | null,
): WorkflowGraph => ({
  nodes: [...nodes, node],
  edges: after === null ? edges : [...edges, { from: after, to: node.key, when: 'success' }],
});

export const withChanged = (graph: WorkflowGraph, node: WorkflowNode): WorkflowGraph => ({
  ...graph,
  nodes: graph.nodes.map((one) => (one.key === node.key ? node : one)),
});

/** Removes a node, its edges, and the inputs that other nodes receive from it. */
export const withoutNode = ({ nodes, edges }: WorkflowGraph, key: string): WorkflowGraph => ({
  nodes: nodes.filter((one) => one.key !== key).map((one) => withoutReads(one, key)),
  edges: edges.filter(({ from, to }) => from !== key && to !== key),
});

function withoutReads(node: WorkflowNode, key: string): WorkflowNode {
  if (node.type !== 'template') return node;
  return {
    ...node,
    inputs: node.inputs.filter((input) => input.node !== key),
    build_node: node.build_node === key ? null : node.build_node,
  };
}

/** Moves a node in the order of the list. */
export function withMoved(graph: WorkflowGraph, key: string, by: number): WorkflowGraph {
  const from = graph.nodes.findIndex((one) => one.key === key);
  const to = Math.max(0, Math.min(graph.nodes.length - 1, from + by));
  const node = graph.nodes[from];
  if (!node || from === to) return graph;
  return { ...graph, nodes: graph.nodes.toSpliced(from, 1).toSpliced(to, 0, node) };
}

/** Adds an edge, or changes the condition of the existing one. */
export function withEdge(
  graph: WorkflowGraph,
  from: string,
  to: string,
  when: EdgeCondition,
): WorkflowGraph {
  const index = graph.edges.findIndex((one) => one.from === from && one.to === to);
  const edges =
    index < 0 ? [...graph.edges, { from, to, when }] : graph.edges.with(index, { from, to, when });
  return from === to ? graph : { ...graph, edges };
}

export const withoutEdge = (graph: WorkflowGraph, from: string, to: string): WorkflowGraph => ({
  ...graph,
  edges: graph.edges.filter((one) => one.from !== from || one.to !== to),
});

/** Changes the start of an edge, which stays at its index. */
export const withEdgeFrom = (
  graph: WorkflowGraph,
  { from, to }: { from: string; to: string },
  other: string,
): WorkflowGraph => ({
  ...graph,
  edges: graph.edges.map((one) =>
    one.from === from && one.to === to ? { ...one, from: other } : one,
  ),
});

/** Stores the position to which the user moved a node. */
export function withPlace(
  graph: WorkflowGraph,
  key: string,
  { x, y }: { x: number; y: number },
): WorkflowGraph {
  const position = { x: Math.round(x), y: Math.round(y) };
  return {
    ...graph,
    nodes: graph.nodes.map((one) => (one.key === key ? { ...one, position } : one)),
  };
}

/** Resets all nodes to the positions of the layout. */
export const withPlacesForgotten = (graph: WorkflowGraph): WorkflowGraph => ({
  ...graph,
  nodes: graph.nodes.map((one) => ({ ...one, position: null })),
});

export interface History {
  draft: Draft;
  past: Draft[];
  future: Draft[];
  /** The field of the last change: successive changes of one field are undone at once. */
  about: string | null;
}

const MAX_STEPS = 200;

export const historyOf = (draft: Draft): History => ({ draft, past: [], future: [], about: null });

/** `about`: the field that is typed into; null for a change of its own. */
export function changed(history: History, draft: Draft, about: string | null): History {
  const goesOn = about !== null && about === history.about;
  const past = goesOn ? history.past : [...history.past, history.draft].slice(-MAX_STEPS);
  return { draft, past, future: [], about };
}

export function undone({ draft, past, future }: History): History | null {
  const before = past.at(-1);
  if (!before) return null;
  return { draft: before, past: past.slice(0, -1), future: [draft, ...future], about: null };
}

export function redone({ draft, past, future }: History): History | null {
  const [next, ...rest] = future;
  if (!next) return null;
  return { draft: next, past: [...past, draft], future: rest, about: null };
}
