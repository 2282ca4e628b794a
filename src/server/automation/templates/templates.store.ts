import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { type Template, templateFlags } from '#shared/api/templates.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import type { Db } from '../../db/open.ts';
import { findValue, hasRow, listIds, updateRows } from '../../db/rows.ts';
import { flagColumns } from '../../db/plain-row.ts';
import { type ListOptions, resourceStore } from '../../db/resource.ts';
import { contains } from '../../db/search.ts';

/** A template without the fields that are read separately. */
export type BareTemplate = Omit<
  Template,
  'vaults' | 'vault_key_id' | 'environment_ids' | 'last_task' | 'last_task_id'
>;

// Never null, so that templates without the name come first on both engines.
const nameOf = (table: string, column: string) =>
  sql`coalesce((select name from ${sql.table(table)} where ${sql.table(table)}.id = ${sql.ref(`templates.${column}`)}), '')`;

interface TemplateJson {
  survey_vars: (Omit<SurveyVariable, 'default_value'> & Partial<SurveyVariable>)[];
  runner_tags: string[];
}

export const templateStore = resourceStore<'templates', BareTemplate, TemplateJson>('templates', {
  columns: {
    ...flagColumns(templateFlags),
    restored: 'flag',
    survey_vars: 'json',
    runner_tags: 'json',
  },
  toEntity: ({ restored: _restored, ...row }) => ({
    ...row,
    type: row.type as Template['type'],
    install_requirements: row.install_requirements as Template['install_requirements'],
    // Survey variables that were stored before defaults existed have none.
    survey_vars: row.survey_vars.map((variable) => ({ default_value: '', ...variable })),
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
  if (q) where.push(contains(['name', 'description', 'playbook', 'working_directory'], q));
  return templateStore.list(db, projectId, { ...options, where });
}

/** Marks a template as created from a backup. */
export async function markRestored(db: Db, id: number): Promise<void> {
  await db.updateTable('templates').set({ restored: 1 }).where('id', '=', id).execute();
}

/** Whether a template was created from a backup. */
export async function isRestored(db: Db, id: number): Promise<boolean> {
  return (await findValue(db, 'templates', 'restored', { id })) === 1;
}

export function hasName(db: Db, projectId: number, name: string): Promise<boolean> {
  return hasRow(db, 'templates', { project_id: projectId, name });
}

/** The further environments of these templates, after the first ones, in their order. */
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

/** Stores the further environments of a template. */
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

export function hasView(db: Db, projectId: number, id: number): Promise<boolean> {
  return hasRow(db, 'views', { project_id: projectId, id });
}

/** Removes all templates from a view. */
export function clearView(db: Db, projectId: number, viewId: number): Promise<boolean> {
  return updateRows(
    db,
    'templates',
    { project_id: projectId, view_id: viewId },
    { view_id: null, revision: sql`revision + 1` },
  );
}

/** The deploy templates that start automatically after a build of this template. */
export function listAutorun(db: Db, projectId: number, buildTemplateId: number): Promise<number[]> {
  return listIds(db, 'templates', {
    project_id: projectId,
    build_template_id: buildTemplateId,
    type: 'deploy',
    autorun: 1,
  });
}

/** False: no such template. Locks it until the transaction ends. */
export function countLaunch(db: Db, projectId: number, id: number): Promise<boolean> {
  return updateRows(db, 'templates', { project_id: projectId, id }, { tasks: sql`tasks + 1` });
}

/** The retention of a template; 0 means the settings of the server. */
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

/** Which of these templates exist, with their projects. */
export async function listExisting(
  db: Db,
  ids: number[],
): Promise<{ project_id: number; template_id: number }[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('templates')
    .select(['project_id', 'id as template_id'])
    .where('id', 'in', ids)
    .execute();
}
