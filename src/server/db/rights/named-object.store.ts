// The object of a project that a row names in one of its columns, such as `template_id`.

import { sql } from 'kysely';
import {
  columnOf,
  grantedTables,
  grantedTypes,
  type GrantedType,
} from '#shared/grants/granted-types.ts';
import type { Db } from '../open.ts';
import type { ObjectRef } from './object-rights.ts';

type ObjectColumns = Record<`${GrantedType}_id`, number | null>;

type NamingTable = 'grants' | 'restrictions' | 'group_rules';

export const objectColumns = grantedTypes.map((type) => columnOf(type));

export const objectColumnsOf = <Table extends NamingTable>(table: Table) =>
  objectColumns.map((column) => `${table}.${column}` as const);

/** Null: the row names none. */
export function findObject(row: ObjectColumns): ObjectRef | null {
  for (const type of grantedTypes) {
    const id = row[columnOf(type)];
    if (id !== null) return { type, id };
  }
  return null;
}

/** The object of a row that names one. */
export function objectOf(row: ObjectColumns): ObjectRef {
  const object = findObject(row);
  if (!object) throw new Error('A grant or a restriction names no object');
  return object;
}

/** The name of the object of a row; null: it names none, or one that is not there or not for the reader. */
export const nameOfObject = (table: NamingTable) =>
  sql<string | null>`coalesce(${sql.join(
    grantedTypes.map((type) => {
      const { table: objects, name } = grantedTables[type];
      const id = sql.ref(`${table}.${columnOf(type)}`);
      return sql`(select o.${sql.ref(name)} from ${sql.table(objects)} o where o.id = ${id})`;
    }),
  )})`;

/** The name of an object of the project; null: it has none of this id. */
export async function findObjectName(
  db: Db,
  projectId: number,
  { type, id }: ObjectRef,
): Promise<string | null> {
  const { table, name } = grantedTables[type];
  const row = await db
    .selectFrom(table)
    .select(sql<string>`${sql.ref(name)}`.as('name'))
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.name ?? null;
}
