import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import type { Db } from './open.ts';
import { withSavepoint } from './savepoint.ts';

const names = async (db: Db) =>
  (await db.selectFrom('settings').select('name').where('name', 'like', 'test %').execute()).map(
    ({ name }) => name,
  );

const add = (db: Db, name: string) =>
  db
    .insertInto('settings')
    .values({ name: `test ${name}`, value: '' })
    .execute();

const failing = (db: Db, name: string) =>
  withSavepoint(db, async () => {
    await add(db, name);
    throw new Error('refused');
  }).catch(() => undefined);

test('what fails inside of a part leaves the part around it whole, and nothing if that fails too', async () => {
  const { ctx } = await testApp();
  await ctx.db.transaction().execute(async (db) => {
    await add(db, 'before');
    await withSavepoint(db, async () => {
      await add(db, 'kept');
      await failing(db, 'inner');
    });
    expect(await names(db)).toEqual(['test before', 'test kept']);
    await withSavepoint(db, async () => {
      await add(db, 'outer');
      await failing(db, 'inner');
      throw new Error('refused');
    }).catch(() => undefined);
  });
  expect((await names(ctx.db)).toSorted()).toEqual(['test before', 'test kept']);
});
