// Only on PostgreSQL: both engines are compared, which is done once.

import { expect, test } from 'vitest';
import { migrate } from '../src/server/db/migrations/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { openDatabase } from '../src/server/db/open.ts';
import { testApp, type Engine } from './helpers/app.ts';
import { freshPostgres } from './helpers/postgres.ts';
import { folder } from './helpers/seed.ts';

async function shape(engine: Engine): Promise<string[]> {
  const { ctx } = await testApp({ engine });
  const tables = await ctx.db.introspection.getTables();
  return tables
    .filter(({ name }) => !name.startsWith('kysely_'))
    .flatMap(({ name, columns }) =>
      columns.map((column) => {
        const mark = column.isNullable && column.name !== 'id' ? '?' : '';
        return `${name}.${column.name}${mark}`;
      }),
    )
    .toSorted();
}

test('the migrations end in the same tables on both engines', async () => {
  const [sqlite, postgres] = [await shape('sqlite'), await shape('postgres')];
  // SQLite does not report that the name of a setting, its primary key, cannot be null.
  const named = (columns: string[]): string[] =>
    columns.map((column) => column.replace('settings.name?', 'settings.name'));
  expect(named(postgres)).toEqual(named(sqlite));
  expect(sqlite.length).toBeGreaterThan(100);
});

test('a second start finds nothing to migrate', async () => {
  const { url, drop } = await freshPostgres();
  for (const address of [`sqlite:${await folder()}/test.db`, url]) {
    const db = openDatabase(address);
    expect(await migrate(db)).toEqual(Object.keys(migrations));
    expect(await migrate(db)).toEqual([]);
    await db.destroy();
  }
  await drop();
});
