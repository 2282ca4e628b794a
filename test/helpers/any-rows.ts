// Puts a row into every table, whatever its columns, to make a database as an earlier version of the
// server has left it.

import { sql, type ColumnMetadata, type Kysely } from 'kysely';

type AnyDb = Kysely<never>;

/** The tables that hold data, by name. */
export async function dataTables(db: AnyDb): Promise<Map<string, ColumnMetadata[]>> {
  const tables = await db.introspection.getTables();
  return new Map(
    tables.flatMap(({ name, columns }) => (name.startsWith('kysely_') ? [] : [[name, columns]])),
  );
}

/** Puts a row into each empty table, in an order that their references allow. */
export async function fillTables(db: AnyDb): Promise<void> {
  const waiting = await dataTables(db);
  for (const name of waiting.keys()) if (await countRows(db, name)) waiting.delete(name);
  for (let failure: unknown = null; waiting.size > 0;) {
    const before = waiting.size;
    for (const [name, columns] of waiting) {
      try {
        await insertRow(db, name, columns);
        waiting.delete(name);
      } catch (error) {
        failure = error;
      }
    }
    if (waiting.size < before) continue;
    throw new Error(`No row fits into ${[...waiting.keys()].join(', ')}`, { cause: failure });
  }
}

export async function countRows(db: AnyDb, table: string): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** References to tables whose rows need one of this table themselves. */
const later = ['projects.execution_environment_id'];

async function insertRow(db: AnyDb, table: string, columns: ColumnMetadata[]): Promise<void> {
  const given = columns.filter(
    (column) => isGiven(column) && !later.includes(`${table}.${column.name}`),
  );
  const names = sql.join(given.map(({ name }) => sql.ref(name)));
  const values = sql.join(given.map((column) => sql`${valueOf(column)}`));
  await (
    given.length === 0
      ? sql`insert into ${sql.table(table)} default values`
      : sql`insert into ${sql.table(table)} (${names}) values (${values})`
  ).execute(db);
}

/**
 * References get values too, also where they may be null; and ids, because PostgreSQL counts rows
 * that it refuses.
 */
const isGiven = ({ name, isNullable, hasDefaultValue }: ColumnMetadata): boolean =>
  name === 'id' || name.endsWith('_id') || (!isNullable && !hasDefaultValue);

function valueOf({ name, dataType }: ColumnMetadata): unknown {
  if (/int/i.test(dataType)) return 1;
  if (/blob|bytea/i.test(dataType)) return Buffer.from('bytes');
  if (/json|^env$|snapshot|params|headers/.test(name)) return '{}';
  if (/(?:events|days|ids|vars|vaults|addresses|groups)$/.test(name)) return '[]';
  return /created|time|due|expires|until|last/.test(name) ? '2026-01-02T03:04:05.678Z' : 'text';
}
