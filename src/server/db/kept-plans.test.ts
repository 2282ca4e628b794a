// Only on PostgreSQL: SQLite has no plans of its own for each connection.

import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { openDatabase } from './open.ts';
import type { Tables } from './tables.ts';

/** A database with a table `parts`, opened as two servers do. */
async function open() {
  const { url, drop } = await freshPostgres();
  const [db, other] = [openDatabase(url), openDatabase(url)];
  onTestFinished(async () => {
    await Promise.all([db.destroy(), other.destroy()]);
    await drop();
  });
  await sql`create table parts (id integer primary key, name varchar(20) not null)`.execute(db);
  await sql`insert into parts values (1, 'a'), (2, 'b')`.execute(db);
  return {
    other,
    /** Does work on one connection, since each keeps plans of its own. */
    onOne: <T>(work: (db: Kysely<Tables>) => Promise<T>) => db.connection().execute(work),
  };
}

/** Sends a text with one value so many times; answers the rows of the last time. */
async function send(db: Kysely<Tables>, text: string, value: unknown, times = 12) {
  const [start = '', end = ''] = text.split('?');
  let rows: unknown[] = [];
  for (let count = 0; count < times; count += 1) {
    ({ rows } = await sql`${sql.raw(start)}${value}${sql.raw(end)}`.execute(db));
  }
  return rows;
}

async function keptBy(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements order by prepare_time
  `.execute(db);
  return rows.map(({ statement }) => statement);
}

test('the plan of a text that is sent often is kept', async () => {
  const { onOne } = await open();
  await onOne(async (db) => {
    const text = 'select name from parts where id = ?';
    expect(await send(db, text, 1, 9)).toEqual([{ name: 'a' }]);
    expect(await keptBy(db)).toEqual([]);
    expect(await send(db, text, 2)).toEqual([{ name: 'b' }]);
    expect(await keptBy(db)).toEqual(['select name from parts where id = $1']);
    expect(await send(db, text, 1, 1)).toEqual([{ name: 'a' }]);
  });
});

test('a text whose best plan depends on its values is planned each time', async () => {
  const { onOne } = await open();
  await onOne(async (db) => {
    await send(db, 'select id from parts where name = ? order by id limit 1', 'a');
    await send(db, 'select min(id) as id from parts where name = ?', 'a');
    await send(db, 'select max(id) as id from parts where name = ?', 'a');
    await send(db, 'select count(*) as count from parts where name = ?', 'a');
    expect(await keptBy(db)).toEqual(['select count(*) as count from parts where name = $1']);
  });
});

test('the plan of a statement that says that it is always the same is kept, limited or not', async () => {
  const { onOne } = await open();
  await onOne(async (db) => {
    const text = 'select name from parts where id > ? order by id limit 1';
    const column = 'select name as "limit" from parts where id = ?';
    await send(db, `${text} -- same plan`, 0);
    await send(db, column, 1);
    await send(db, `select * from parts where id > ? limit 1 -- same plan`, 0);
    const shown = (one: string): string => one.replace('?', '$1');
    expect(await keptBy(db)).toEqual([`${text} -- same plan`, column].map(shown));
  });
});

test('a newer server may add a column to a table that this one reads', async () => {
  const { onOne, other } = await open();
  await onOne(async (db) => {
    const all = 'select * from parts where id = ?';
    const changed = `update parts set name = 'c' where id = ? returning *`;
    const named = 'select "parts"."name" from parts where id = ?';
    for (const text of [all, changed, named]) await send(db, text, 1);
    expect(await keptBy(db)).toEqual(['select "parts"."name" from parts where id = $1']);
    await sql`alter table parts add column size integer not null default 7`.execute(other);
    expect(await send(db, all, 1)).toEqual([{ id: 1, name: 'c', size: 7 }]);
    expect(await send(db, changed, 1)).toEqual([{ id: 1, name: 'c', size: 7 }]);
    expect(await send(db, named, 1)).toEqual([{ name: 'c' }]);
  });
});

test('no more than 150 plans are kept, and further texts are answered as well', async () => {
  const { onOne } = await open();
  await onOne(async (db) => {
    for (let n = 0; n < 160; n += 1) {
      expect(await send(db, `select ${n} as n, name from parts where id = ?`, 1)).toEqual([
        { n, name: 'a' },
      ]);
    }
    expect(await keptBy(db)).toHaveLength(150);
  });
});

test('a wrong statement fails each time, and the connection goes on', async () => {
  const { onOne } = await open();
  await onOne(async (db) => {
    for (let count = 0; count < 15; count += 1) {
      await expect(send(db, 'select nothing from parts where id = ?', 1, 1)).rejects.toThrow(
        'column "nothing" does not exist',
      );
    }
    expect(await send(db, 'select name from parts where id = ?', 1)).toEqual([{ name: 'a' }]);
  });
});
