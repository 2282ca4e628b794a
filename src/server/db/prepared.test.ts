// Only on PostgreSQL: SQLite keeps all statements.

import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { openDatabase } from './open.ts';
import { prepared, preparedName } from './prepared.ts';
import type { Tables } from './tables.ts';

/** Does work on one connection, since each keeps statements of its own, to a table `parts`. */
async function onOne(work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const { url, drop } = await freshPostgres();
  const db = openDatabase(url);
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  await sql`create table parts (id integer primary key, name varchar(20) not null)`.execute(db);
  await sql`insert into parts values (1, 'a'), (2, 'b')`.execute(db);
  await db.connection().execute(work);
}

async function namesIn(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db);
  return rows.map(({ name }) => name);
}

test('a statement with a name is kept under it, and no other', async () => {
  await onOne(async (db) => {
    for (const [id, name] of [
      [1, 'a'],
      [2, 'b'],
      [1, 'a'],
    ] as const) {
      const named = sql`select name from parts where id = ${id} ${prepared('find_part')}`;
      const other = sql`select name from parts where id = ${id}`;
      for (const query of [named, other])
        expect((await query.execute(db)).rows).toEqual([{ name }]);
    }
    expect(await namesIn(db)).toEqual(['find_part']);
  });
});

test('a wrong statement with a name fails each time, and the connection goes on', async () => {
  await onOne(async (db) => {
    for (let count = 0; count < 3; count += 1) {
      const wrong = sql`select nothing from parts where id = ${1} ${prepared('find_nothing')}`;
      await expect(wrong.execute(db)).rejects.toThrow('column "nothing" does not exist');
    }
    const right = sql`select name from parts where id = ${1} ${prepared('find_part')}`;
    expect((await right.execute(db)).rows).toEqual([{ name: 'a' }]);
  });
});

test('two statements cannot have one name', async () => {
  await onOne(async (db) => {
    await sql`select name from parts where id = ${1} ${prepared('part')}`.execute(db);
    const other = sql`select id from parts where id = ${1} ${prepared('part')}`;
    await expect(other.execute(db)).rejects.toThrow("'part' was used for a different statement");
  });
});

test('the name of a statement ends its text', () => {
  expect(preparedName('select 1 -- prepared: find_part')).toBe('find_part');
  expect(preparedName('select 1')).toBe(undefined);
});
