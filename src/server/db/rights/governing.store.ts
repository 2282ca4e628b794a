// Which object decides about what an address or a body names.

import { grantedTables, grantedTypes, type GrantedType } from '#shared/grants/granted-types.ts';
import type { Db } from '../open.ts';
import type { ObjectRef } from './object-rights.ts';

/** What belongs to an object and is protected with it, and its table. */
const governedTables = {
  task: 'tasks',
  schedule: 'schedules',
  integration: 'integrations',
  run: 'workflow_runs',
} as const;
const launched = ['template', 'workflow'];

export type GovernedNoun = GrantedType | keyof typeof governedTables;

export const isGrantedType = (noun: GovernedNoun): noun is GrantedType => !(noun in governedTables);

/** That of an integration that starts nothing yet, for which the role in the project decides. */
const nothing: ObjectRef = { type: 'template', id: 0 };

/**
 * The object that decides about something; null: there is none of this id in the project. It always takes one
 * statement, so that the time of an answer does not tell what is hidden from what is missing.
 */
export async function findGoverning(
  db: Db,
  projectId: number,
  { noun, id }: { noun: GovernedNoun; id: number },
): Promise<ObjectRef | null> {
  if (isGrantedType(noun))
    return (await hasObject(db, projectId, noun, id)) ? { type: noun, id } : null;
  if (noun === 'task') {
    const row = await db
      .selectFrom('tasks')
      .select('template_id')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { type: 'template', id: row.template_id } : null;
  }
  if (noun === 'run') {
    const row = await db
      .selectFrom('workflow_runs')
      .select('workflow_id')
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { type: 'workflow', id: row.workflow_id } : null;
  }
  const row = await db
    .selectFrom(governedTables[noun])
    .select(['template_id', 'workflow_id'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  if (row.template_id !== null) return { type: 'template', id: row.template_id };
  return row.workflow_id === null ? nothing : { type: 'workflow', id: row.workflow_id };
}

async function hasObject(
  db: Db,
  projectId: number,
  type: GrantedType,
  id: number,
): Promise<boolean> {
  const { table } = grantedTables[type];
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    // Execution environments of the installation have no project.
    .where((eb) => eb.or([eb('project_id', '=', projectId), eb('project_id', 'is', null)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** The kinds of objects that may decide about something. */
export const typesFor = (noun: GovernedNoun): GrantedType[] => {
  if (isGrantedType(noun)) return [noun];
  return { task: ['template'], run: ['workflow'], schedule: launched, integration: launched }[
    noun
  ] as GrantedType[];
};

const governedNouns: readonly string[] = [...grantedTypes, ...Object.keys(governedTables)];

export const isGovernedNoun = (noun: string): noun is GovernedNoun => governedNouns.includes(noun);
