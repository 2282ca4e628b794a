// Conversions of values and types of columns for both engines.

import {
  SqliteAdapter,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
} from 'kysely';

export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0);
export const fromFlag = (value: number): boolean => value === 1;

export function isSqlite(db: Kysely<never>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

type Table = CreateTableBuilder<string>;

/** Adds the primary key `id`: a positive integer that is never reused. */
export function idColumn(db: Kysely<never>, table: Table): CreateTableBuilder<string, 'id'> {
  return isSqlite(db)
    ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (column) =>
        column.primaryKey().generatedByDefaultAsIdentity(),
      );
}

/** The type of columns that hold an id. */
export const idType = (db: Kysely<never>): 'integer' | 'bigint' =>
  isSqlite(db) ? 'integer' : 'bigint';

/** The type of columns that hold bytes. */
export const bytesType = (db: Kysely<never>): 'blob' | 'bytea' => (isSqlite(db) ? 'blob' : 'bytea');

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull();

/** A column for a number or text with a default. */
export const initially =
  (value: number | string) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    column.notNull().defaultTo(value);
