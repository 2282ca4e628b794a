// The outputs of nodes, and the variables of later nodes that they become.

import type { Answer, Answers } from '#shared/api/task-snapshot.ts';
import type { NodeInput, TemplateNode, WorkflowGraph } from '#shared/workflows/graph.ts';
import type { Reason } from '#shared/workflows/decisions.ts';
import type { Context } from '../../../context/context.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { openOutputs } from '../../tasks/results/opened-outputs.ts';
import type { NodeRow } from './nodes.store.ts';
import type { RunRow } from './runs.store.ts';

interface Values {
  plain: Map<string, Answer>;
  secret: Map<string, Answer>;
}

export interface NodeValues {
  extracted: Record<string, Answer>;
  secrets: Record<string, Answer>;
}

/** The variables of a node, or why one of them is missing. */
type Inputs = NodeValues | { reason: Reason };

interface Reading {
  graph: WorkflowGraph;
  rows: ReadonlyMap<string, NodeRow>;
}

export async function readInputs(
  ctx: Context,
  { graph, rows }: Reading,
  node: TemplateNode,
): Promise<Inputs> {
  const read = new Map<string, Values>();
  const extracted: [string, Answer][] = [];
  const secrets: [string, Answer][] = [];
  for (const input of node.inputs) {
    const row = rows.get(input.node);
    const values = read.get(input.node) ?? (await valuesOf(ctx, row));
    read.set(input.node, values);
    const plain = values.plain.get(input.output);
    const secret = values.secret.get(input.output);
    if (secret !== undefined) secrets.push([input.name, secret]);
    else if (plain !== undefined) extracted.push([input.name, plain]);
    else return { reason: missing(graph, node, input) };
  }
  return { extracted: Object.fromEntries(extracted), secrets: Object.fromEntries(secrets) };
}

function missing({ nodes }: WorkflowGraph, node: TemplateNode, input: NodeInput): Reason {
  const other = nodes.find(({ key }) => key === input.node)?.name ?? input.node;
  const params = { node: node.name, output: input.output, other };
  return { code: 'reason.input_missing', params };
}

async function valuesOf(ctx: Context, row: NodeRow | undefined): Promise<Values> {
  if (!row) return { plain: new Map(), secret: new Map() };
  if (row.task_id !== null) return openOutputs(ctx, row.task_id);
  return {
    plain: new Map(Object.entries(row.answers)),
    secret: new Map(Object.entries(openAnswers(ctx, row))),
  };
}

/** The secret answers of an approval. */
export function openAnswers({ vault }: Context, row: NodeRow): Answers {
  if (row.secret === null) return {};
  return JSON.parse(vault.open(row.secret, sealedColumns.approvalAnswers.at(row))) as Answers;
}

/** The values of the launch of a run. */
export function openRunValues({ vault }: Context, run: RunRow): Answers {
  if (run.extracted === null) return {};
  return JSON.parse(vault.open(run.extracted, sealedColumns.runValues.at(run))) as Answers;
}
