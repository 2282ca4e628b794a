import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { stopWrites } from '../../../test/helpers/stop-writes.ts';
import { fail, Unusable } from '../lib/errors.ts';
import { isLasting, isOfDatabase } from './lasting.ts';
import { isSqlite } from './row.ts';

const setting = { name: 'twice', value: '' };

test('errors of values last, and errors of the database pass', async () => {
  const app = await testApp();
  const { db } = app.ctx;
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const insert = () => db.insertInto('settings').values(setting).execute();
  await insert();
  const lasting = [
    await failure(insert()),
    fail('task.not_found'),
    new Unusable('no value yet'),
    new TypeError('x is undefined'),
  ];
  if (!isSqlite(db as never)) {
    lasting.push(await failure(sql`select 1 / 0`.execute(db)));
    lasting.push(await failure(sql`select ${'a\0b'}::text`.execute(db)));
  }
  const passing = [
    await failure(sql`select * from no_such_table`.execute(db)),
    new Error('unknown'),
  ];
  const allow = await stopWrites(app);
  passing.push(
    await failure(
      db
        .insertInto('settings')
        .values({ ...setting, name: 'more' })
        .execute(),
    ),
  );
  await allow();
  expect(lasting.map(isLasting)).toEqual(lasting.map(() => true));
  expect(passing.map(isLasting)).toEqual(passing.map(() => false));
  expect(passing.map(isOfDatabase)).toEqual([true, false, true]);
  const wrapped = new Error('The log of the task cannot be stored', { cause: lasting[0] });
  expect(isLasting(wrapped)).toBe(true);
});
