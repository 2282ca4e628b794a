// Validates a graph, for the editor and the server alike.

import type { Finding } from '../field-errors.ts';
import type { NodeInput, WorkflowEdge, WorkflowGraph, WorkflowNode } from './graph.ts';

/** All errors by the paths of their fields; empty: valid. */
export function checkGraph(graph: WorkflowGraph): Finding[] {
  if (graph.nodes.length === 0) return [{ path: 'graph.nodes', code: 'workflow.no_nodes' }];
  const keys = new Set(graph.nodes.map(({ key }) => key));
  const ends = checkEdges(graph, keys);
  const nodes = [...checkNames(graph.nodes), ...graph.nodes.flatMap(checkNode)];
  // Invalid edges or duplicate keys would make further checks meaningless.
  if (ends.length > 0 || keys.size < graph.nodes.length) return [...nodes, ...ends];
  const circle = checkCircles(graph);
  return [...nodes, ...(circle.length > 0 ? circle : checkReads(graph))];
}

function checkNames(nodes: readonly WorkflowNode[]): Finding[] {
  return nodes.flatMap((node, index) => {
    const earlier = nodes.slice(0, index);
    const has = (same: (one: WorkflowNode) => boolean) => earlier.some(same);
    if (has(({ key }) => key === node.key)) {
      return [finding(index, 'key', 'workflow.key_repeated', { node: node.name })];
    }
    const name = node.name.toLowerCase();
    return has((one) => one.name.toLowerCase() === name)
      ? [finding(index, 'name', 'workflow.name_repeated', { node: node.name })]
      : [];
  });
}

function checkNode(node: WorkflowNode, index: number): Finding[] {
  const named = { node: node.name };
  if (node.type === 'approval') {
    const nobody = node.roles.length === 0 && node.user_ids.length === 0;
    const names = node.fields.map(({ name }) => name);
    const repeated = names.findIndex((name, at) => names.indexOf(name) < at);
    return [
      ...(nobody ? [finding(index, 'roles', 'workflow.nobody_approves', named)] : []),
      ...(repeated < 0 ? [] : [finding(index, `fields.${repeated}.name`, 'survey.name_repeated')]),
    ];
  }
  if (node.type === 'wait' && (node.seconds === null) === (node.until === null)) {
    return [finding(index, 'seconds', 'workflow.wait_unclear', named)];
  }
  return [];
}

function checkEdges({ nodes, edges }: WorkflowGraph, keys: ReadonlySet<string>): Finding[] {
  const names = new Map(nodes.map(({ key, name }) => [key, name]));
  const seen = new Set<string>();
  return edges.flatMap(({ from, to }, index): Finding[] => {
    const wrong = !keys.has(from) ? 'from' : !keys.has(to) ? 'to' : null;
    if (wrong) {
      const key = wrong === 'from' ? from : to;
      return [
        { path: `graph.edges.${index}.${wrong}`, code: 'workflow.node_unknown', params: { key } },
      ];
    }
    const pair = `${from} ${to}`;
    const isRepeated = seen.has(pair);
    seen.add(pair);
    const params = { from: names.get(from) ?? from, to: names.get(to) ?? to };
    return isRepeated
      ? [{ path: `graph.edges.${index}`, code: 'workflow.edge_repeated', params }]
      : [];
  });
}

/** Reports the nodes in a circle. */
function checkCircles({ nodes, edges }: WorkflowGraph): Finding[] {
  const inCircle = new Set(nodes.map(({ key }) => key));
  const leaf = () =>
    [...inCircle].filter(
      (key) =>
        !edges.some(({ from, to }) => from === key && inCircle.has(to)) ||
        !edges.some(({ from, to }) => to === key && inCircle.has(from)),
    );
  for (let free = leaf(); free.length > 0; free = leaf()) {
    for (const key of free) inCircle.delete(key);
  }
  if (inCircle.size === 0) return [];
  const names = nodes.flatMap(({ key, name }) => (inCircle.has(key) ? [name] : []));
  const first = nodes.findIndex(({ key }) => inCircle.has(key));
  return [finding(first, 'key', 'workflow.circle', { nodes: names.join(', ') })];
}

/** Refuses inputs and builds of nodes that do not precede the node. */
function checkReads(graph: WorkflowGraph): Finding[] {
  const names = new Map(graph.nodes.map(({ key, name }) => [key, name]));
  return graph.nodes.flatMap((node, index) => {
    if (node.type !== 'template') return [];
    const before = nodesBefore(graph.edges, node.key);
    const unread = (path: string, key: string): Finding[] =>
      before.has(key)
        ? []
        : [
            finding(index, path, 'workflow.not_before', {
              node: node.name,
              other: names.get(key) ?? key,
            }),
          ];
    return [
      ...node.inputs.flatMap((input, at) => unread(`inputs.${at}.node`, input.node)),
      ...repeatedInputs(node.inputs, index),
      ...(node.build_node === null ? [] : unread('build_node', node.build_node)),
    ];
  });
}

function repeatedInputs(inputs: readonly NodeInput[], index: number): Finding[] {
  const names = inputs.map(({ name }) => name);
  return names.flatMap((name, at) =>
    names.indexOf(name) < at ? [finding(index, `inputs.${at}.name`, 'survey.name_repeated')] : [],
  );
}

/** The keys of all direct and indirect predecessors of a node. */
export function nodesBefore(edges: readonly WorkflowEdge[], key: string): Set<string> {
  const before = new Set<string>();
  const open = [key];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { from, to } of edges) {
      if (to !== next || before.has(from)) continue;
      before.add(from);
      open.push(from);
    }
  }
  return before;
}

const finding = (
  index: number,
  field: string,
  code: Finding['code'],
  params?: Finding['params'],
): Finding => ({ path: `graph.nodes.${index}.${field}`, code, ...(params && { params }) });
