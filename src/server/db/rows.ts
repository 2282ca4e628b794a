// The simple statements of stores, on the rows of one table whose columns have given values.

import type { InsertObject, Kysely, SelectQueryBuilder, UpdateObject } from 'kysely';
import type { Db } from './open.ts';
import type { Row, Tables } from './tables.ts';

type Table = keyof Tables;

/** A list matches any of its values, which must not be empty; null matches null. */
export type Match<T extends Table> = {
  [Column in keyof Row<T>]?: Row<T>[Column] | readonly Row<T>[Column][];
};

type Columns = Record<string, unknown>;

// Kysely cannot infer a table that is a type parameter.
const generic = (db: Db): Kysely<{ any: Columns }> => db as never;

const conditionsOf = (match: object) =>
  Object.entries(match as Columns).map(([column, value]) => {
    const operator = Array.isArray(value) ? 'in' : value === null ? 'is' : '=';
    return [column, operator, value] as const;
  });

function select<T extends Table>(db: Db, table: T, match: Match<T>) {
  let query: SelectQueryBuilder<{ any: Columns }, 'any', object> = generic(db).selectFrom(
    table as 'any',
  );
  for (const condition of conditionsOf(match)) query = query.where(...condition);
  return query;
}

/** Null: no such row. */
export async function findRow<T extends Table>(
  db: Db,
  table: T,
  match: Match<T>,
): Promise<Row<T> | null> {
  const row = await select(db, table, match).selectAll().executeTakeFirst();
  return (row ?? null) as Row<T> | null;
}

/** Null: no such row, or the column is null. */
export async function findValue<T extends Table, Column extends keyof Row<T> & string>(
  db: Db,
  table: T,
  column: Column,
  match: Match<T>,
): Promise<Row<T>[Column] | null> {
  const row: Columns | undefined = await select(db, table, match)
    .select(column)
    .limit(1)
    .executeTakeFirst();
  return (row?.[column] ?? null) as Row<T>[Column] | null;
}

export async function hasRow<T extends Table>(db: Db, table: T, match: Match<T>): Promise<boolean> {
  const query = select(db, table, match).select(({ lit }) => lit(1).as('found'));
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** In ascending order. */
export async function listIds<T extends Table>(
  db: Db,
  table: T,
  match: Match<T>,
): Promise<number[]> {
  const rows = await select(db, table, match).select('id').orderBy('id').execute();
  return rows.map(({ id }) => id as number);
}

/** Returns the id of the new row. */
export async function insertRow<T extends Table>(
  db: Db,
  table: T,
  values: InsertObject<Tables, T>,
): Promise<number> {
  const { id } = await generic(db)
    .insertInto(table as 'any')
    .values(values as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id as number;
}

/** False: no such row. */
export async function updateRows<T extends Table>(
  db: Db,
  table: T,
  match: Match<T>,
  change: UpdateObject<Tables, T>,
): Promise<boolean> {
  let query = generic(db)
    .updateTable(table as 'any')
    .set(change as never);
  for (const condition of conditionsOf(match)) query = query.where(...condition);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** False: no such row. */
export async function deleteRows<T extends Table>(
  db: Db,
  table: T,
  match: Match<T>,
): Promise<boolean> {
  let query = generic(db).deleteFrom(table as 'any');
  for (const condition of conditionsOf(match)) query = query.where(...condition);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
