import { describe, expect, test } from 'vitest';
import { schedules, type Schedule } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedSchedules } from '../../../../test/helpers/schedules.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { insertFires } from './fires.store.ts';

describe('the calendar of schedules', () => {
  async function start() {
    const app = await testApp();
    app.clock.set('2026-12-02T10:30:00Z');
    const made = await seedSchedules(app, null);
    const read = (query: object = { from: '2026-11-30' }, params = made.params) =>
      app.admin.call(schedules.calendar, { params, query });
    const missed = (schedule: Schedule, due: string, count = 1) =>
      insertFires(app.ctx.db, [
        { schedule_id: schedule.id, due, noticed: due, result: 'missed', count },
      ]);
    return { app, ...made, read, missed };
  }

  test('has what was missed, what ran and what is due, in the zone of the reader', async () => {
    const { app, create, read, missed, templateId, params } = await start();
    const nightly = await create({ name: 'Nightly', cron_format: '0 2 * * *' });
    await missed(nightly, '2026-12-01T02:00:00.000Z');
    await app.ctx.db
      .insertInto('schedule_fires')
      .values({
        schedule_id: nightly.id,
        due: '2026-12-02T02:00:00.000Z',
        noticed: '2026-12-02T02:00:00.000Z',
        result: 'started',
        reason: null,
        task_id: await endedTask(app, { ...params, template_id: templateId }),
        commit_hash: null,
        code: null,
        error: null,
      })
      .execute();
    const calendar = await read({ from: '2026-11-30', time_zone: 'Europe/Berlin' });
    expect(calendar.days).toHaveLength(7);
    expect(calendar.days[0]).toEqual({
      day: '2026-11-30',
      from: '2026-11-29T23:00:00.000Z',
      to: '2026-11-30T23:00:00.000Z',
    });
    expect(calendar.has_more).toBe(false);
    expect(calendar.schedules).toMatchObject([
      {
        name: 'Nightly',
        template_id: templateId,
        past: [
          { due: '2026-12-01T02:00:00.000Z', result: 'missed', bad: 1, duration_s: null },
          { due: '2026-12-02T02:00:00.000Z', result: 'failed', bad: 1, duration_s: 90 },
        ],
      },
    ]);
    expect(calendar.schedules[0]?.due.map(({ due }) => due)).toEqual(
      ['03', '04', '05', '06'].map((day) => `2026-12-${day}T02:00:00.000Z`),
    );
  });

  test('many due times of a day are one band, also those that were handled', async () => {
    const { create, read, missed } = await start();
    const often = await create({ cron_format: '*/5 8-18 * * *' });
    for (let minute = 0; minute < 20; minute += 1) {
      await missed(often, `2026-12-01T08:${String(minute).padStart(2, '0')}:00.000Z`);
    }
    const [schedule] = (await read()).schedules;
    expect(schedule?.past).toMatchObject([{ count: 20, bad: 20, result: 'missed' }]);
    expect(schedule?.due).toHaveLength(5);
    expect(schedule?.due[1]).toEqual({
      due: '2026-12-03T08:00:00.000Z',
      last: '2026-12-03T18:55:00.000Z',
      count: 132,
      every_s: 300,
    });
  });

  test('a paused schedule is not due, and other projects are left out', async () => {
    const { app, create, read } = await start();
    await create({ cron_format: '0 2 * * *', active: false });
    const other = await seedProject(app.admin, null);
    const calendar = await read(undefined, { project_id: other.projectId });
    expect([(await read()).schedules, calendar.schedules]).toEqual([[], []]);
  });

  test('a zone that does not exist is refused', async () => {
    const { app, params } = await start();
    const query = { time_zone: 'Mars/Olympus' };
    const { status, body } = await app.admin.ask(schedules.calendar, { params, query });
    expect([status, body.fields?.map(({ code }) => code)]).toEqual([
      400,
      ['schedule.time_zone_unknown'],
    ]);
  });

  test('days at the end of the calendar are none', async () => {
    const { read } = await start();
    expect((await read({ from: '9999-12-30' })).days.length).toBeLessThan(8);
  });
});

/** A task of a minute and a half that failed; returns its id. */
async function endedTask(
  app: Awaited<ReturnType<typeof testApp>>,
  { project_id, template_id }: { project_id: number; template_id: number },
): Promise<number> {
  const params = { project_id };
  const { id } = await app.admin.call(tasks.start, { params, body: { template_id } });
  await app.ctx.db
    .updateTable('tasks')
    .set({
      status: 'error',
      start: '2026-12-02T02:00:01.000Z',
      end: '2026-12-02T02:01:31.000Z',
    })
    .where('id', '=', id)
    .execute();
  return id;
}
