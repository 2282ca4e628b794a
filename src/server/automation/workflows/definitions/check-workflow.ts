// Checks the references of the nodes of a graph. The graph itself is checked by check-graph.ts, which the
// editor uses too.

import type { Finding } from '#shared/field-errors.ts';
import { newTask } from '#shared/api/tasks.ts';
import type {
  ApprovalNode,
  TemplateNode,
  WaitNode,
  WorkflowGraph,
  WorkflowNode,
} from '#shared/workflows/graph.ts';
import { checkGraph } from '#shared/workflows/check-graph.ts';
import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../lib/errors.ts';
import { launchReferences } from '../../tasks/launch/launch-references.ts';
import { checkLaunch } from '../../tasks/launch/launch-rules.ts';
import { readAnswers } from '../../tasks/launch/survey.ts';
import { requireTemplate, type PlainTemplate } from '../../templates/templates.ts';
import { findRoleBySlug } from '../../../people/roles/roles.ts';
import { listMembers, listNested, workflowStore } from './workflows.store.ts';

interface CheckedWorkflow {
  projectId: number;
  /** Null for a new workflow. */
  workflowId: number | null;
  isTimeZone: (name: string) => boolean;
}

export async function checkWorkflow(
  ctx: Context,
  place: CheckedWorkflow,
  graph: WorkflowGraph,
): Promise<Finding[]> {
  const findings = checkGraph(graph);
  const templates = new Map<string, PlainTemplate>();
  for (const [index, node] of graph.nodes.entries()) {
    findings.push(...(await checkNode(ctx, place, { node, index, templates })));
  }
  findings.push(...checkBuilds(graph, templates));
  return findings;
}

interface Placed<Node extends WorkflowNode = WorkflowNode> {
  node: Node;
  index: number;
  /** By the keys of nodes; filled while nodes are checked. */
  templates: Map<string, PlainTemplate>;
}

const found = (index: number, field: string, code: Finding['code'], params: Finding['params']) => ({
  path: `graph.nodes.${index}.${field}`,
  code,
  ...(params && { params }),
});

async function checkNode(ctx: Context, place: CheckedWorkflow, placed: Placed): Promise<Finding[]> {
  const { node, index, templates } = placed;
  switch (node.type) {
    case 'template':
      return checkTemplate(ctx, place.projectId, { node, index, templates });
    case 'approval':
      return checkApprovers(ctx, place, node, index);
    case 'wait':
      return checkZone(place, node, index);
    case 'workflow':
      return checkNested(ctx, place, node, index);
  }
}

/** Refuses options that the template of a node does not allow, by the rules of a launch. */
async function checkTemplate(
  ctx: Context,
  projectId: number,
  { node, index, templates }: Placed<TemplateNode>,
): Promise<Finding[]> {
  const named = { node: node.name };
  let template: PlainTemplate;
  try {
    template = await requireTemplate(ctx, projectId, node.template_id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [found(index, 'template_id', 'workflow.template_unknown', named)];
  }
  templates.set(node.key, template);
  const missing = await listMissing(ctx, projectId, node);
  if (missing.length > 0) {
    return missing.map((field) => found(index, `params.${field}`, 'field.reference', undefined));
  }
  try {
    checkLaunchOf(node, template);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = error.fields.map((one) => `${one.path}: ${one.message}`).join('; ');
    const params = { ...named, reason: reason || error.message };
    return [found(index, 'params', 'workflow.template_refuses', params)];
  }
}

/** The fields of the launch options of a node that refer to nothing of this project. */
async function listMissing(
  { db }: Context,
  projectId: number,
  { params }: TemplateNode,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [field, [id, exists]] of Object.entries(params ? launchReferences(params) : {})) {
    if (id !== null && !(await exists(db, projectId, id))) missing.push(field);
  }
  return missing;
}

function checkLaunchOf(node: TemplateNode, template: PlainTemplate): void {
  const launch = newTask.parse({ ...node.params, template_id: node.template_id });
  checkLaunch(launch, template);
  // The values of inputs are not known before the run.
  const given = new Set(node.inputs.map(({ name }) => name));
  const asked = template.survey_vars.filter(({ name }) => !given.has(name));
  readAnswers({ ...template, survey_vars: asked }, launch.environment, launch.secret);
}

/** A deploy names the earlier node of its build, which runs its build template. */
function checkBuilds(
  { nodes }: WorkflowGraph,
  templates: ReadonlyMap<string, PlainTemplate>,
): Finding[] {
  return nodes.flatMap((node, index) => {
    const template = templates.get(node.key);
    if (node.type !== 'template' || template?.type !== 'deploy') return [];
    const named = { node: node.name };
    if (node.build_node === null) {
      return [found(index, 'build_node', 'workflow.build_node', named)];
    }
    const build = nodes.find(({ key }) => key === node.build_node);
    const own = templates.get(node.build_node);
    // A missing template is reported at its own node.
    const isUnknown = build?.type === 'template' && !own;
    if (!build || isUnknown || own?.id === template.build_template_id) return [];
    const params = { ...named, other: build.name };
    return [found(index, 'build_node', 'workflow.build_node_wrong', params)];
  });
}

async function checkApprovers(
  ctx: Context,
  { projectId, workflowId }: CheckedWorkflow,
  node: ApprovalNode,
  index: number,
): Promise<Finding[]> {
  const members = await listMembers(ctx.db, projectId, workflowId);
  const known = new Set(members.map(({ user_id }) => user_id));
  const unknown = node.user_ids.findIndex((id) => !known.has(id));
  const named = { node: node.name };
  if (unknown >= 0) {
    return [found(index, `user_ids.${unknown}`, 'workflow.approver_unknown', named)];
  }
  for (const [at, slug] of node.roles.entries()) {
    if (await findRoleBySlug(ctx.db, projectId, slug)) continue;
    return [found(index, `roles.${at}`, 'workflow.role_unknown', named)];
  }
  const hasOne = node.user_ids.length > 0 || members.some(({ role }) => node.roles.includes(role));
  // Missing approvers are reported by check-graph.ts.
  return hasOne || node.roles.length === 0
    ? []
    : [found(index, 'roles', 'workflow.nobody_approves', named)];
}

const checkZone = ({ isTimeZone }: CheckedWorkflow, node: WaitNode, index: number): Finding[] =>
  node.time_zone === '' || isTimeZone(node.time_zone)
    ? []
    : [found(index, 'time_zone', 'workflow.time_zone', { node: node.name })];

/** Refuses a missing workflow, and a circle of workflows. */
async function checkNested(
  ctx: Context,
  { projectId, workflowId }: CheckedWorkflow,
  node: Extract<WorkflowNode, { type: 'workflow' }>,
  index: number,
): Promise<Finding[]> {
  const named = { node: node.name };
  if (!(await workflowStore.exists(ctx.db, projectId, node.workflow_id))) {
    return [found(index, 'workflow_id', 'workflow.workflow_unknown', named)];
  }
  // No other workflow can contain a new one.
  if (workflowId === null) return [];
  const nested = await listNested(ctx.db, projectId);
  const seen = new Set<number>();
  const open = [node.workflow_id];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === workflowId) return [found(index, 'workflow_id', 'workflow.nested_circle', named)];
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(nested.get(id) ?? []));
  }
  return [];
}
