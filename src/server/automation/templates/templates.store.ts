import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { SurveyVariable, Template } from '#shared/api/templates.ts';
import type { Db } from '../../db/open.ts';
import { type ListOptions, resourceStore } from '../../db/resource.ts';
import { contains } from '../../db/search.ts';

/** A template without what is read apart: its vaults, its further environments and its last task. */
export type BareTemplate = Omit<
  Template,
  'vaults' | 'vault_key_id' | 'environment_ids' | 'last_task' | 'last_task_id'
>;

// Never null: what has no name comes first, on both engines.
const nameOf = (table: string, column: string) =>
  sql`coalesce((select name from ${sql.table(table)} where ${sql.table(table)}.id = ${sql.ref(`templates.${column}`)}), '')`;

interface TemplateJson {
  survey_vars: (Omit<SurveyVariable, 'default_value'> & Partial<SurveyVariable>)[];
  runner_tags: string[];
}

export const templateStore = resourceStore<'templates', BareTemplate, TemplateJson>('templates', {
  columns: {
    autorun: 'flag',
    requires_confirmation: 'flag',
    auto_approve: 'flag',
    allow_auto_approve_in_task: 'flag',
    allow_override_args_in_task: 'flag',
    allow_override_inventory_in_task: 'flag',
    allow_override_branch_in_task: 'flag',
    allow_override_limit_in_task: 'flag',
    allow_override_tags_in_task: 'flag',
    allow_override_skip_tags_in_task: 'flag',
    allow_debug_in_task: 'flag',
    allow_any_variable_in_task: 'flag',
    allow_parallel_tasks: 'flag',
    suppress_success_alerts: 'flag',
    survey_vars: 'json',
    runner_tags: 'json',
  },
  toEntity: ({ survey_vars: variables, ...row }) => ({
    ...row,
    type: row.type as Template['type'],
    // Variables that were stored before there were defaults have none.
    survey_vars: variables.map((variable) => ({ default_value: '', ...variable })),
  }),
  sort: {
    inventory: nameOf('inventories', 'inventory_id'),
    environment: nameOf('environments', 'environment_id'),
    repository: nameOf('repositories', 'repository_id'),
  },
});

export interface TemplateFilter extends Omit<ListOptions, 'where'> {
  viewId?: number | undefined;
  q?: string | undefined;
}

export function listFiltered(
  db: Db,
  projectId: number,
  { viewId, q, ...options }: TemplateFilter,
): Promise<BareTemplate[]> {
  const where: RawBuilder<SqlBool>[] = [];
  if (viewId !== undefined) where.push(sql`view_id = ${viewId}`);
  if (q) where.push(contains(['name', 'description', 'playbook'], q));
  return templateStore.list(db, projectId, { ...options, where });
}

/** The environments of these templates behind the first ones, in their order. */
export async function listFurther(
  db: Db,
  templateIds: number[],
): Promise<{ template_id: number; environment_id: number }[]> {
  if (templateIds.length === 0) return [];
  return db
    .selectFrom('template_environments')
    .select(['template_id', 'environment_id'])
    .where('template_id', 'in', templateIds)
    .orderBy('position')
    .execute();
}

/** Stores the environments of a template behind its first one. */
export async function saveFurther(
  db: Db,
  projectId: number,
  templateId: number,
  environmentIds: number[],
): Promise<void> {
  await db.deleteFrom('template_environments').where('template_id', '=', templateId).execute();
  if (environmentIds.length === 0) return;
  const rows = environmentIds.map((environment_id, position) => ({
    project_id: projectId,
    template_id: templateId,
    environment_id,
    position,
  }));
  await db.insertInto('template_environments').values(rows).execute();
}

/** Whether the project has this view. */
export async function hasView(db: Db, projectId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('views')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes all templates out of a view. */
export async function clearView(db: Db, projectId: number, viewId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('templates')
    .set({ view_id: null, revision: sql`revision + 1` })
    .where('project_id', '=', projectId)
    .where('view_id', '=', viewId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The deploy templates that start by themselves after a build of this template. */
export async function listAutorun(
  db: Db,
  projectId: number,
  buildTemplateId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('templates')
    .select('id')
    .where('project_id', '=', projectId)
    .where('build_template_id', '=', buildTemplateId)
    .where('type', '=', 'deploy')
    .where('autorun', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** False: it is gone. Otherwise it stays until the transaction has ended. */
export async function countLaunch(db: Db, projectId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('templates')
    .set({ tasks: sql`tasks + 1` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Of a template: what is kept of its tasks; 0: as the server's settings say. */
export interface Keeping {
  projectId: number;
  templateId: number;
  type: string;
  keepTasks: number;
  keepDays: number;
}

/** Of all templates of all projects, or of one template. */
export async function listKeeping(db: Db, templateId?: number): Promise<Keeping[]> {
  let query = db
    .selectFrom('templates')
    .select([
      'project_id as projectId',
      'id as templateId',
      'type',
      'keep_tasks as keepTasks',
      'keep_days as keepDays',
    ])
    .orderBy('id');
  if (templateId !== undefined) query = query.where('id', '=', templateId);
  return query.execute();
}
