// Value conversions and column types of both engines.

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

/** A positive integer that is never reused. */
export function idColumn(db: Kysely<never>, table: Table): CreateTableBuilder<string, 'id'> {
  return isSqlite(db)
    ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (column) =>
        column.primaryKey().generatedByDefaultAsIdentity(),
      );
}

export const idType = (db: Kysely<never>): 'integer' | 'bigint' =>
  isSqlite(db) ? 'integer' : 'bigint';

export const bytesType = (db: Kysely<never>): 'blob' | 'bytea' => (isSqlite(db) ? 'blob' : 'bytea');

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull();

export const initially =
  (value: number | string) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    column.notNull().defaultTo(value);
