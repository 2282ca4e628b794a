import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { inTransaction } from './transaction.ts';

const event = { projectId: 1, noun: 'projects' } as const;

test('events come after the commit, in their order, also from a transaction within', async () => {
  const { ctx } = await testApp();
  const seen: string[] = [];
  ctx.hub.subscribe('resource.changed', ({ noun }) => seen.push(noun));
  await inTransaction(ctx, async (outer) => {
    outer.hub.publish('resource.changed', event);
    await inTransaction(outer, (inner) => {
      inner.hub.publish('resource.changed', { ...event, noun: 'keys' });
      expect(inner.db).toBe(outer.db);
      return Promise.resolve();
    });
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual(['projects', 'keys']);
});

test('a transaction that fails changes nothing and tells nothing', async () => {
  const { ctx } = await testApp();
  const seen: string[] = [];
  ctx.hub.subscribe('resource.changed', ({ noun }) => seen.push(noun));
  const work = inTransaction(ctx, async ({ db, hub }) => {
    await db.insertInto('settings').values({ name: 'x', value: 'y' }).execute();
    hub.publish('resource.changed', event);
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(seen).toEqual([]);
  const rows = await ctx.db.selectFrom('settings').selectAll().where('name', '=', 'x').execute();
  expect(rows).toEqual([]);
});
