// Also on PostgreSQL: migrations are other statements there.
// Slow: processes that upgrade are killed half-way.
// Databases that earlier versions of the server have left, with rows in all tables, and databases
// whose upgrade was killed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../src/server/db/migrations/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { openDatabase } from '../src/server/db/open.ts';
import { countRows, dataTables, fillTables } from './helpers/any-rows.ts';
import { freshPostgres } from './helpers/postgres.ts';
import { folder } from './helpers/seed.ts';
import { ownEngine } from './helpers/engine.ts';

const names = Object.keys(migrations);

/** Since this migration several servers can share a database. */
const sharedSince = '0022-runners';

/** Older servers read the rows that have a value here only: they join the table that it refers to. */
const emptied = new Set(['schedules.template_id']);

interface TestDb {
  url: string;
  db: Kysely<never>;
}

async function freshDatabase(): Promise<TestDb> {
  const postgres = ownEngine === 'postgres' ? await freshPostgres() : null;
  const url = postgres?.url ?? `sqlite:${await folder()}/signalbox.db`;
  const db = openDatabase(url) as unknown as Kysely<never>;
  onTestFinished(async () => {
    await db.destroy();
    await postgres?.drop();
  });
  return { url, db };
}

/** The tables as they were when this migration was the newest. */
async function migrateTo(db: Kysely<never>, name: string): Promise<void> {
  const getMigrations = () => Promise.resolve(migrations);
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateTo(name);
  if (error) throw error;
}

async function shapeOf(db: Kysely<never>): Promise<string[]> {
  const tables = [...(await dataTables(db))];
  return tables
    .flatMap(([table, columns]) =>
      columns.map(({ name, dataType, isNullable }) => `${table}.${name} ${dataType} ${isNullable}`),
    )
    .toSorted();
}

async function countAll(db: Kysely<never>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of (await dataTables(db)).keys()) counts[table] = await countRows(db, table);
  return counts;
}

// Migrates as the server does, and waits for ever after the statements of one migration.
const halfWay = (url: string, name: string): string => `
const { migrations } = await import('./src/server/db/migrations/index.ts');
const { migrate } = await import('./src/server/db/migrations/migrate.ts');
const { openDatabase } = await import('./src/server/db/open.ts');
const { up } = migrations[${JSON.stringify(name)}];
migrations[${JSON.stringify(name)}] = {
  async up(db) {
    await up(db);
    console.log('half-way');
    await new Promise((resolve) => setTimeout(resolve, 1_000_000));
  },
};
await migrate(openDatabase(${JSON.stringify(url)}));
`;

async function killHalfWay(url: string, name: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', halfWay(url, name)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('half-way\n');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * The ten newest earlier forms, in which a mistake is likely, and every fifth of the others, whose
 * rows go through all that came later.
 */
const forms = names
  .slice(0, -1)
  .filter((_, index) => index >= names.length - 11 || index % 5 === 0);

test('a database of an earlier form keeps its rows and gets the newest one', async () => {
  const newest = await freshDatabase();
  await migrate(newest.db as never);
  const shape = await shapeOf(newest.db);
  for (const name of forms) {
    const { db } = await freshDatabase();
    await migrateTo(db, name);
    await fillTables(db);
    const before = await countAll(db);
    expect(Object.values(before).every((count) => count > 0)).toBe(true);
    expect(await migrate(db as never)).toEqual(names.slice(names.indexOf(name) + 1));
    expect([name, await shapeOf(db)]).toEqual([name, shape]);
    const after = await countAll(db);
    const lost = Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0));
    expect([name, lost]).toEqual([name, []]);
    // The tables accept new rows with the new columns.
    await fillTables(db);
  }
}, 600_000);

// Servers are upgraded one after the other, and the older ones go on working on the newer tables.
// So the columns that they read must stay, and new columns must not need a value from them.
test('tables only grow, so that servers of the version before go on', async () => {
  const { db } = await freshDatabase();
  const columnsOf = async () => {
    const tables = await db.introspection.getTables();
    return tables.flatMap(({ name: table, columns }) =>
      columns.map((column) => ({ ...column, table, name: `${table}.${column.name}` })),
    );
  };
  await migrateTo(db, sharedSince);
  let before = await columnsOf();
  for (const name of names.slice(names.indexOf(sharedSince) + 1)) {
    await migrateTo(db, name);
    const now = new Map((await columnsOf()).map((column) => [column.name, column]));
    const changed = before.filter((old) => {
      const same = now.get(old.name);
      const isEmptied = emptied.has(old.name) && same?.isNullable === true;
      const keepsNull = isEmptied || same?.isNullable === old.isNullable;
      return same?.dataType !== old.dataType || !keepsNull;
    });
    const tables = new Set(before.map(({ table }) => table));
    const demanded = [...now.values()].filter(
      (column) =>
        tables.has(column.table) &&
        !before.some((old) => old.name === column.name) &&
        !column.isNullable &&
        !column.hasDefaultValue,
    );
    expect([name, changed, demanded]).toEqual([name, [], []]);
    before = [...now.values()];
  }
}, 120_000);

test('a database of a newer version is left alone, and says so', async () => {
  const { db } = await freshDatabase();
  await migrate(db as never);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999')`.execute(
    db,
  );
  await expect(migrate(db as never)).rejects.toThrow(
    'The database was brought to the form of a newer version of Signalbox (9999-later). This is version ',
  );
});

test('an upgrade that is killed half-way leaves what was, and the next one does it whole', async () => {
  const newest = await freshDatabase();
  await migrate(newest.db as never);
  const shape = await shapeOf(newest.db);
  const { db, url } = await freshDatabase();
  const first = names[4] ?? '';
  await migrateTo(db, first);
  await fillTables(db);
  const before = [await shapeOf(db), await countAll(db)];
  for (const name of [names[5], names[12], names.at(-1)]) {
    await killHalfWay(url, name ?? '');
    expect([await shapeOf(db), await countAll(db)]).toEqual(before);
  }
  expect(await migrate(db as never)).toEqual(names.slice(5));
  expect(await shapeOf(db)).toEqual(shape);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
}, 120_000);
