import { describe, expect, test } from 'vitest';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import {
  changed,
  emptyDraft,
  historyOf,
  newNode,
  redone,
  undone,
  withEdge,
  withEdgeFrom,
  withMoved,
  withNode,
  withoutEdge,
  withoutNode,
  withPlace,
  withPlacesForgotten,
} from './edits.ts';

/** Build, Test after it, Deploy after both, which takes a value of Build. */
function example(): WorkflowGraph {
  let graph = emptyDraft.graph;
  graph = withNode(graph, newNode(graph, 'template', 'Build'), null);
  graph = withNode(graph, newNode(graph, 'template', 'Test'), 'n1');
  const deploy = newNode(graph, 'template', 'Deploy');
  const inputs = [{ name: 'tag', node: 'n1', output: 'version' }];
  graph = withNode(graph, { ...deploy, inputs, build_node: 'n1' } as typeof deploy, 'n2');
  return withEdge(graph, 'n1', 'n3', 'always');
}

const keys = ({ nodes }: WorkflowGraph) => nodes.map(({ key }) => key);

test('gives each node a key and a name of its own', () => {
  const graph = example();
  const twice = withNode(graph, newNode(graph, 'wait', 'build'), null);
  expect(twice.nodes.map(({ key, name }) => [key, name])).toEqual([
    ['n1', 'Build'],
    ['n2', 'Test'],
    ['n3', 'Deploy'],
    ['n4', 'build 2'],
  ]);
  const after = withoutNode(twice, 'n2');
  expect(newNode(after, 'wait', 'Wait').key).toBe('n5');
});

test('removes a node with its edges and with what others take from it', () => {
  const graph = withoutNode(example(), 'n1');
  expect(keys(graph)).toEqual(['n2', 'n3']);
  expect(graph.edges).toEqual([{ from: 'n2', to: 'n3', when: 'success' }]);
  expect(graph.nodes[1]).toMatchObject({ inputs: [], build_node: null });
});

test('moves a node within the list, and not beyond its ends', () => {
  expect(keys(withMoved(example(), 'n3', -1))).toEqual(['n1', 'n3', 'n2']);
  expect(keys(withMoved(example(), 'n1', -1))).toEqual(['n1', 'n2', 'n3']);
});

test('keeps where a node was moved, until all are arranged again', () => {
  const moved = withPlace(example(), 'n2', { x: 10.4, y: -3.6 });
  expect(moved.nodes.map(({ position }) => position)).toEqual([null, { x: 10, y: -4 }, null]);
  expect(withPlacesForgotten(moved)).toEqual(example());
});

describe('an edge', () => {
  test('is changed where there is one already', () => {
    const { edges } = withEdge(example(), 'n1', 'n3', 'failure');
    expect(edges.filter(({ from, to }) => from === 'n1' && to === 'n3')).toEqual([
      { from: 'n1', to: 'n3', when: 'failure' },
    ]);
  });

  test('never leads from a node to itself', () => {
    expect(withEdge(example(), 'n1', 'n1', 'always')).toEqual(example());
  });

  test('keeps its place when it begins elsewhere, and goes', () => {
    const moved = withEdgeFrom(example(), { from: 'n2', to: 'n3' }, 'n4');
    expect(moved.edges[1]).toEqual({ from: 'n4', to: 'n3', when: 'success' });
    expect(withoutEdge(moved, 'n4', 'n3').edges).toHaveLength(2);
  });
});

test('undo takes back what was typed into one field at once, and redo brings it again', () => {
  const named = (name: string) => ({ ...emptyDraft, name });
  let history = changed(historyOf(emptyDraft), named('R'), 'name');
  history = changed(history, named('Re'), 'name');
  history = changed(history, { ...named('Re'), description: 'x' }, null);
  const back = undone(history);
  expect(back?.draft).toEqual(named('Re'));
  const start = back && undone(back);
  expect(start?.draft).toEqual(emptyDraft);
  expect(start && undone(start)).toBe(null);
  expect(start && redone(start)?.draft).toEqual(named('Re'));
  // A new change forgets what was undone.
  expect(start && redone(changed(start, named('Q'), null))).toBe(null);
});
