// The graph of a workflow: its nodes, and the edges between them.

import { z } from 'zod';
import { id, initially, line, multiline, nullable, using } from '../fields.ts';
import { newTaskParams } from '../launch.ts';
import { approvalField } from '../survey/survey-variable.ts';

const MAX_NODES = 100;
const MAX_EDGES = 500;
/** 31 days. */
export const MAX_WAIT_S = 31 * 24 * 3600;

/** Identifies a node in its graph; does not change with its name. */
const nodeKey = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);

const seconds = z.number().int().min(1).max(MAX_WAIT_S);

export const joins = ['all', 'any'] as const;
export const edgeConditions = ['success', 'failure', 'always'] as const;
export type EdgeCondition = (typeof edgeConditions)[number];
export const timeoutRules = ['approve', 'reject'] as const;

/** A variable of a node with the value of an output of an earlier node. */
const input = z.strictObject({
  name: line(255, 'name.required'),
  /** The key of the earlier node. */
  node: nodeKey,
  /** The name of an output, or of a field of an approval. */
  output: line(255, 'name.required'),
});
export type NodeInput = z.output<typeof input>;

const position = z.strictObject({
  x: z.number().min(-1e6).max(1e6),
  y: z.number().min(-1e6).max(1e6),
});

const anyNode = {
  key: nodeKey,
  name: line(100, 'name.required'),
  /** Whether the node begins when all incoming edges hold, or one of them. */
  join: initially(z.enum(joins), 'all'),
  /** Null: placed by the editor. */
  position: nullable(position),
};

const templateNode = z.strictObject({
  ...anyNode,
  type: z.literal('template'),
  template_id: using('template.run', id),
  /** The launch options, as far as the template allows them. */
  params: newTaskParams.nullish().transform((given) => given ?? null),
  inputs: initially(z.array(input).max(100), []),
  /** The key of the earlier node whose build a deploy deploys. */
  build_node: nullable(nodeKey),
});

const approvalNode = z.strictObject({
  ...anyNode,
  type: z.literal('approval'),
  question: multiline(2000),
  /** The approvers: members with one of these roles, and these users. */
  roles: initially(z.array(line(20)).max(100), []),
  user_ids: initially(z.array(id).max(100), []),
  /** Whether the user who launched the run may not approve. */
  not_launcher: initially(z.boolean(), false),
  /** Fields to fill in with the approval, which later nodes can use. */
  fields: initially(z.array(approvalField).max(50), []),
  /** When it expires; null: never. */
  timeout_s: nullable(seconds),
  on_timeout: initially(z.enum(timeoutRules), 'reject'),
});

const waitNode = z.strictObject({
  ...anyNode,
  type: z.literal('wait'),
  /** Null: until a time of day. */
  seconds: nullable(seconds),
  /** The time of day to wait for, such as 22:00; null: `seconds`. */
  until: nullable(z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)),
  /** The time zone of `until`; empty: the server's. */
  time_zone: initially(z.string().max(64), ''),
});

const workflowNode = z.strictObject({
  ...anyNode,
  type: z.literal('workflow'),
  workflow_id: using('workflow.run', id),
});

const node = z.discriminatedUnion('type', [templateNode, approvalNode, waitNode, workflowNode]);
export type WorkflowNode = z.output<typeof node>;
export type ApprovalNode = z.output<typeof approvalNode>;
export type WaitNode = z.output<typeof waitNode>;
export type TemplateNode = z.output<typeof templateNode>;
export const nodeTypes = ['template', 'approval', 'wait', 'workflow'] as const;

const edge = z.strictObject({
  from: nodeKey,
  to: nodeKey,
  /** The required end of the first node; `always`: any, also when it is skipped. */
  when: initially(z.enum(edgeConditions), 'success'),
});
export type WorkflowEdge = z.output<typeof edge>;

export const workflowGraph = z.strictObject({
  nodes: z.array(node).max(MAX_NODES),
  edges: initially(z.array(edge).max(MAX_EDGES), []),
});
export type WorkflowGraph = z.output<typeof workflowGraph>;
