// The graph of a workflow: its nodes, the edges between them, and the form of both.

import { z } from 'zod';
import { id, initially, line, multiline, nullable } from '../fields.ts';
import { newTaskParams } from '../launch.ts';
import { roleNames } from '../permissions.ts';
import { approvalField } from '../survey/survey-variable.ts';

const MAX_NODES = 100;
const MAX_EDGES = 500;
/** The longest time that a node waits, in seconds: 31 days. */
export const MAX_WAIT_S = 31 * 24 * 3600;

/** Names a node within its graph; a node keeps it when its name changes. */
const nodeKey = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);

const seconds = z.number().int().min(1).max(MAX_WAIT_S);

export const joins = ['all', 'any'] as const;
export const edgeConditions = ['success', 'failure', 'always'] as const;
export type EdgeCondition = (typeof edgeConditions)[number];
export const timeoutRules = ['approve', 'reject'] as const;

/** A variable of a node that has the value of an output of an earlier node. */
const input = z.strictObject({
  name: line(255, 'name.required'),
  /** The key of the earlier node. */
  node: nodeKey,
  /** The name of its output, or of a field of its approval. */
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
  /** Whether the node begins when all incoming edges hold, or as soon as one does. */
  join: initially(z.enum(joins), 'all'),
  /** Where the editor shows it; null: where it finds room. */
  position: nullable(position),
};

const templateNode = z.strictObject({
  ...anyNode,
  type: z.literal('template'),
  template_id: id,
  /** What the launch sets, as far as the template allows it. */
  params: newTaskParams.nullish().transform((given) => given ?? null),
  inputs: initially(z.array(input).max(100), []),
  /** For a deploy: the key of the earlier node whose build it deploys. */
  build_node: nullable(nodeKey),
});

const approvalNode = z.strictObject({
  ...anyNode,
  type: z.literal('approval'),
  question: multiline(2000),
  /** Who may approve: members with one of these roles, and these users. */
  roles: initially(z.array(z.enum(roleNames)).max(roleNames.length), []),
  user_ids: initially(z.array(id).max(100), []),
  /** Whether the one who launched the run may not approve. */
  not_launcher: initially(z.boolean(), false),
  /** What is asked with the approval; later nodes can use the answers. */
  fields: initially(z.array(approvalField).max(50), []),
  /** After how many seconds it is decided by itself; null: never. */
  timeout_s: nullable(seconds),
  on_timeout: initially(z.enum(timeoutRules), 'reject'),
});

const waitNode = z.strictObject({
  ...anyNode,
  type: z.literal('wait'),
  /** How long it waits, in seconds; null: until a time of day. */
  seconds: nullable(seconds),
  /** The time of day until which it waits, such as 22:00; null: it waits so many seconds. */
  until: nullable(z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)),
  /** The time zone of the time of day; empty for that of the server. */
  time_zone: initially(z.string().max(64), ''),
});

const workflowNode = z.strictObject({
  ...anyNode,
  type: z.literal('workflow'),
  workflow_id: id,
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
  /** How the first node has to end; `always`: in any way, and also when it is skipped. */
  when: initially(z.enum(edgeConditions), 'success'),
});
export type WorkflowEdge = z.output<typeof edge>;

export const workflowGraph = z.strictObject({
  nodes: z.array(node).max(MAX_NODES),
  edges: initially(z.array(edge).max(MAX_EDGES), []),
});
export type WorkflowGraph = z.output<typeof workflowGraph>;
