import Database from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect, sql, type RawBuilder } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { KeptStatements } from './kept-statements.ts';
import { OwnSqlite } from './open.ts';

function open() {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  database.exec('create table parts (id integer primary key, name text)');
  database.exec(`insert into parts (name) values ('a'), ('b')`);
  return { database, statements: new KeptStatements(database) };
}

test('a text is prepared once', () => {
  const { statements } = open();
  const text = 'select name from parts where id = ?';
  expect(statements.prepare(text)).toBe(statements.prepare(text));
  expect([1, 2].map((id) => statements.prepare(text).all([id]))).toEqual([
    [{ name: 'a' }],
    [{ name: 'b' }],
  ]);
});

test('a statement can be executed while its rows are still read elsewhere', () => {
  const { statements } = open();
  const text = 'select name from parts order by id';
  const rows = statements.prepare(text).iterate();
  expect(rows.next().value).toEqual({ name: 'a' });
  expect(statements.prepare(text).all()).toHaveLength(2);
  expect([...rows]).toEqual([{ name: 'b' }]);
});

test('a kept statement sees the columns that its table has now', () => {
  const { database, statements } = open();
  const text = 'select * from parts where id = 1';
  expect(statements.prepare(text).all()).toEqual([{ id: 1, name: 'a' }]);
  database.exec(`alter table parts add column size integer not null default 7`);
  expect(statements.prepare(text).all()).toEqual([{ id: 1, name: 'a', size: 7 }]);
  database.exec(`alter table parts rename column name to label`);
  expect(statements.prepare(text).all()).toEqual([{ id: 1, label: 'a', size: 7 }]);
});

test('more texts than are kept are prepared as well', () => {
  const { statements } = open();
  const first = statements.prepare('select 0 as n');
  for (let n = 1; n <= 1200; n += 1) {
    expect(statements.prepare(`select ${n} as n`).all()).toEqual([{ n }]);
  }
  expect(statements.prepare('select 0 as n')).not.toBe(first);
});

interface Parts {
  parts: { id: number; name: string };
}

const kysely = (database: Database.Database): Kysely<Parts> =>
  new Kysely({ dialect: new SqliteDialect({ database }) });
const own = (database: Database.Database): Kysely<Parts> =>
  new Kysely({ dialect: new OwnSqlite(database) });

// SQLite tells nobody that it plans a statement again. But a plan that was made for the value can use an
// index that holds this value only.
test.each([
  ['made once, whatever the value is', own, /^SCAN parts$/],
  ['made again for the value by Kysely alone', kysely, /parts_named_a/],
])('the plan of a statement is %s', async (_what, connect, plan) => {
  const { database } = open();
  database.exec(`create index parts_named_a on parts (id) where name = 'a'`);
  const db = connect(database);
  const planOf = async (name: string | RawBuilder<string>): Promise<string | undefined> => {
    const query = db.selectFrom('parts').select('id').where('name', '=', name).compile();
    const text = `explain query plan ${query.sql}`;
    const explain = CompiledQuery.raw(text, [...query.parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(explain);
    return rows[0]?.detail;
  };
  expect(await planOf('a')).toMatch(plan);
  expect(await planOf(sql.lit('a'))).toMatch(/parts_named_a/);
});

test('the rows of an insertion are plain parameters, which SQLite reads faster', () => {
  const { database } = open();
  const { sql: text } = own(database)
    .insertInto('parts')
    .values([
      { id: 3, name: 'c' },
      { id: 4, name: 'd' },
    ])
    .compile();
  expect(text).toBe('insert into "parts" ("id", "name") values (?, ?), (?, ?)');
});
