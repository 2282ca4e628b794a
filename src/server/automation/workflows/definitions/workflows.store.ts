import { sql } from 'kysely';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import type { Workflow } from '#shared/api/workflows.ts';
import type { Db } from '../../../db/open.ts';
import { resourceStore } from '../../../db/resource.ts';
import { isSqlite } from '../../../db/row.ts';

/** A workflow without what its runs add to it. */
export type PlainWorkflow = Omit<Workflow, 'last_run'>;

export const workflowStore = resourceStore<'workflows', PlainWorkflow, { graph: WorkflowGraph }>(
  'workflows',
  {
    columns: { graph: 'json' },
    toEntity: (row) => row,
  },
);

/** Whether the project has this view, which is then not deleted before the transaction ends. */
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

/** Takes all workflows out of a view; false if it has none. */
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
}

/** Notes what the nodes of a workflow use, in place of what they used before. */
export async function saveUses(
  db: Db,
  projectId: number,
  workflowId: number,
  { templates, workflows }: Uses,
): Promise<void> {
  const owner = { project_id: projectId, workflow_id: workflowId };
  await db.deleteFrom('workflow_uses').where('workflow_id', '=', workflowId).execute();
  const rows = [
    ...[...templates].map((id) => ({ ...owner, template_id: id, used_workflow_id: null })),
    ...[...workflows].map((id) => ({ ...owner, template_id: null, used_workflow_id: id })),
  ];
  if (rows.length > 0) await db.insertInto('workflow_uses').values(rows).execute();
}

/**
 * Makes changes of the workflows of a project wait for each other: two of them at once could otherwise
 * lead their workflows into each other.
 */
export async function lockWorkflows(db: Db, projectId: number): Promise<void> {
  // In SQLite only one transaction writes at a time anyway.
  if (isSqlite(db as never)) return;
  const project = db.selectFrom('projects').select('id').where('id', '=', projectId);
  await project.forNoKeyUpdate().execute();
}

/** The workflows that each workflow of the project has among its nodes. */
export async function listNested(db: Db, projectId: number): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('workflow_uses')
    .select(['workflow_id', 'used_workflow_id'])
    .where('project_id', '=', projectId)
    .where('used_workflow_id', 'is not', null)
    .execute();
  const nested = new Map<number, number[]>();
  for (const { workflow_id: id, used_workflow_id: used } of rows) {
    if (used !== null) nested.set(id, [...(nested.get(id) ?? []), used]);
  }
  return nested;
}

/** The members of the project with their roles. */
export async function listMembers(
  db: Db,
  projectId: number,
): Promise<{ user_id: number; role: string }[]> {
  return db
    .selectFrom('members')
    .select(['user_id', 'role'])
    .where('project_id', '=', projectId)
    .execute();
}
