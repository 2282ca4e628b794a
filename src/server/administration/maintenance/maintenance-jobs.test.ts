import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../../test/helpers/app.ts';
import { until } from '../../../../test/helpers/until.ts';
import { MaintenanceJobs } from './maintenance-jobs.ts';

test('a removal that fails keeps back none of the others', async () => {
  const app = await testApp();
  const { db } = app.ctx;
  await sql`drop table call_counts`.execute(db);
  const old = '2020-01-01T00:00:00.000Z';
  await db.updateTable('events').set({ created: old }).execute();
  const maintenance = new MaintenanceJobs({
    ...app.ctx,
    config: { ...app.ctx.config, keepEventDays: 1 },
  });
  onTestFinished(() => maintenance.loop.close());
  const list = () => db.selectFrom('events').select('id').execute();
  expect(await list()).not.toEqual([]);
  maintenance.loop.start();
  await until(async () => (await list()).length === 0);
});
