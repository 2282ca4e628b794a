import { hasRight } from '../../../db/rights/role-rights.ts';
import { hasRightOn } from '../../../db/rights/right-on.ts';
import { sql } from 'kysely';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import { completeGraph } from '#shared/workflows/stored-graph.ts';
import type { Workflow } from '#shared/api/workflows.ts';
import type { Db } from '../../../db/open.ts';
import { resourceStore } from '../../../db/resource.ts';
import { isSqlite } from '../../../db/row.ts';

export type PlainWorkflow = Omit<Workflow, 'last_run'>;

export const workflowStore = resourceStore<'workflows', PlainWorkflow, { graph: WorkflowGraph }>(
  'workflows',
  {
    columns: { graph: 'json' },
    toEntity: (row) => ({ ...row, graph: completeGraph(row.graph) }),
  },
);

/** Locks a view against deletion until the transaction ends; false: no such view. */
export async function holdView(db: Db, projectId: number, id: number): Promise<boolean> {
  const one = db
    .selectFrom('views')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id);
  // In SQLite only one transaction writes at a time anyway.
  const query = isSqlite(db as never) ? one : one.forKeyShare();
  return (await query.executeTakeFirst()) !== undefined;
}

/** False: the view has no workflows. */
export async function clearView(db: Db, projectId: number, viewId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workflows')
    .set({ view_id: null, revision: sql`revision + 1` })
    .where('project_id', '=', projectId)
    .where('view_id', '=', viewId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface Uses {
  templates: Iterable<number>;
  workflows: Iterable<number>;
  /** Execution environments. */
  environments: Iterable<number>;
}

/** Replaces the references of the nodes of a workflow. */
export async function saveUses(
  db: Db,
  projectId: number,
  workflowId: number,
  { templates, workflows, environments }: Uses,
): Promise<void> {
  const owner = {
    project_id: projectId,
    workflow_id: workflowId,
    template_id: null,
    used_workflow_id: null,
    execution_environment_id: null,
  };
  await db.deleteFrom('workflow_uses').where('workflow_id', '=', workflowId).execute();
  const rows = [
    ...[...templates].map((id) => ({ ...owner, template_id: id })),
    ...[...workflows].map((id) => ({ ...owner, used_workflow_id: id })),
    ...[...environments].map((id) => ({ ...owner, execution_environment_id: id })),
  ];
  if (rows.length > 0) await db.insertInto('workflow_uses').values(rows).execute();
}

/** Serializes changes of the workflows of a project: two at once could nest workflows in a circle. */
export async function lockWorkflows(db: Db, projectId: number): Promise<void> {
  // In SQLite only one transaction writes at a time anyway.
  if (isSqlite(db as never)) return;
  const project = db.selectFrom('projects').select('id').where('id', '=', projectId);
  await project.forNoKeyUpdate().execute();
}

/** The nested workflows of each workflow of the project. */
export async function listNested(db: Db, projectId: number): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('workflow_uses')
    .select(['workflow_id', 'used_workflow_id'])
    .where('project_id', '=', projectId)
    .where('used_workflow_id', 'is not', null)
    .execute();
  const byWorkflow = Map.groupBy(rows, (row) => row.workflow_id);
  const used = (one: (typeof rows)[number]) => one.used_workflow_id ?? [];
  return new Map([...byWorkflow].map(([id, uses]) => [id, uses.flatMap(used)]));
}

/** The members of the project who may approve in a workflow, with their roles; null: in one that is not there yet. */
export async function listMembers(
  db: Db,
  projectId: number,
  workflowId: number | null,
): Promise<{ user_id: number; role: string }[]> {
  const members = db
    .selectFrom('members')
    .select(['members.user_id', 'members.role'])
    .where('members.project_id', '=', projectId);
  if (workflowId === null) return members.where(hasRight('workflow.approve')).execute();
  const holder = { table: 'workflows', user: sql.ref('members.user_id') } as const;
  return members
    .innerJoin('workflows', 'workflows.project_id', 'members.project_id')
    .where('workflows.id', '=', workflowId)
    .where(hasRightOn(holder, 'workflow.approve'))
    .execute();
}
