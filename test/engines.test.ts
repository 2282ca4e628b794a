// Both engines end with the same tables, and a real server works on each of them.

import { describe, expect, test } from 'vitest';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { openDatabase } from '../src/server/db/open.ts';
import { engines, testApp, type Engine } from './helpers/app.ts';
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
  // SQLite does not say that the name of a setting, its primary key, cannot be null.
  const named = (columns: string[]): string[] =>
    columns.map((column) => column.replace('settings.name?', 'settings.name'));
  expect(named(postgres)).toEqual(named(sqlite));
  expect(sqlite.length).toBeGreaterThan(100);
});

test('a second start finds nothing to migrate', async () => {
  const db = openDatabase(`sqlite:${await folder()}/test.db`);
  expect(await migrate(db)).toEqual(Object.keys(migrations));
  expect(await migrate(db)).toEqual([]);
  await db.destroy();
});

describe.each(engines)('%s', (engine) => {
  test('keeps what refers to something of another project out', async () => {
    const { ctx } = await testApp({ engine });
    const project = {
      name: 'P',
      created: ctx.clock.now().toISOString(),
      alert: 0,
      max_parallel_tasks: 0,
      type: '',
    } as const;
    const ids: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      const row = await ctx.db
        .insertInto('projects')
        .values(project)
        .returning('id')
        .executeTakeFirstOrThrow();
      ids.push(row.id);
    }
    const [one = 0, other = 0] = ids;
    const key = await ctx.db
      .insertInto('keys')
      .values({ project_id: one, name: 'K', type: 'none' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const insert = (projectId: number) =>
      ctx.db
        .insertInto('repositories')
        .values({
          project_id: projectId,
          name: 'R',
          git_url: '/r',
          git_branch: '',
          ssh_key_id: key.id,
        })
        .execute();
    await expect(insert(other)).rejects.toThrow(/foreign key/i);
    await insert(one);
    // A project goes with everything in it.
    await ctx.db.deleteFrom('projects').where('id', '=', one).execute();
    expect(await ctx.db.selectFrom('repositories').selectAll().execute()).toEqual([]);
  });
});
