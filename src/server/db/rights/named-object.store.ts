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

type NamingTable = 'grants' | 'restrictions' | 'group_rules';

const columnIn = (table: NamingTable, type: GrantedType) => sql.ref(`${table}.${columnOf(type)}`);

/** The columns `object_type` and `object_id`; null: the row names none. */
export const namedObject = (table: NamingTable) => [
  sql<GrantedType | null>`case ${sql.join(
    grantedTypes.map(
      (type) => sql`when ${columnIn(table, type)} is not null then ${sql.lit(type)}`,
    ),
    sql` `,
  )} end`.as('object_type'),
  sql<number | null>`coalesce(${sql.join(grantedTypes.map((type) => columnIn(table, type)))})`.as(
    'object_id',
  ),
];

interface ObjectColumns {
  object_type: GrantedType | null;
  object_id: number | null;
}

/** The object of a row that names one. */
export function objectOf({ object_type: type, object_id: id }: ObjectColumns): ObjectRef {
  if (type === null || id === null) throw new Error('A grant or a restriction names no object');
  return { type, id };
}

/** The name of the object of a row; null: it names none, or one that is not there or not for the reader. */
export const nameOfObject = (table: NamingTable) =>
  sql<string | null>`coalesce(${sql.join(
    grantedTypes.map((type) => {
      const { table: objects, name } = grantedTables[type];
      return sql`(select o.${sql.ref(name)} from ${sql.table(objects)} o where o.id = ${columnIn(table, type)})`;
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
