import { expect, test } from 'vitest';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedSchedules } from '../../../../test/helpers/schedules.ts';
import { followZoneRules } from './zone-rules.ts';

test('due times are computed again when the rules of time zones are others', async () => {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const made = await seedSchedules(app, null);
  const timing = { cron_format: '0 2 * * *', time_zone: 'America/Winnipeg' };
  const cron = await made.create({ name: 'cron', ...timing });
  const passed = await made.create({ name: 'passed', ...timing });
  const interval = await made.create({ name: 'interval', cron_format: '@every 90m' });
  const off = await made.create({ name: 'off', ...timing, active: false });
  const set = (id: number, next_due: string) =>
    app.ctx.db.updateTable('schedules').set({ next_due }).where('id', '=', id).execute();
  // As other rules have computed it.
  await set(cron.id, '2026-05-02T08:00:00.000Z');
  await set(passed.id, '2026-05-01T09:00:00.000Z');
  const dues = async () =>
    Promise.all([cron, passed, interval, off].map(async (one) => (await made.read(one)).next_due));

  await followZoneRules(app.ctx, '2026x');
  const after = ['2026-05-02T07:00:00.000Z', '2026-05-01T09:00:00.000Z', interval.next_due, null];
  expect(await dues()).toEqual(after);

  await set(cron.id, '2026-05-02T08:00:00.000Z');
  await followZoneRules(app.ctx, '2026x');
  expect((await dues())[0]).toBe('2026-05-02T08:00:00.000Z');
});
