// Value conversions of both engines, and names in their statements.

import { SqliteAdapter, type Kysely } from 'kysely';

export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0);
export const fromFlag = (value: number): boolean => value === 1;

export function isSqlite(db: Kysely<never>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
