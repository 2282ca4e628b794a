import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { KeptStatements } from './kept-statements.ts';

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
