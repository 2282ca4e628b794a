// Schedules that are due once.

import { describe, expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { schedules } from '#shared/api/schedules.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedSchedules } from '../../../../test/helpers/schedules.ts';

const run_at = '2026-05-01T12:00:00Z';
const once = { type: 'run_at', run_at, cron_format: '' } as const;

async function start() {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const made = await seedSchedules(app, null);
  const at = async (time: string): Promise<void> => {
    app.clock.set(time);
    await app.app.scheduler.runOnce();
  };
  return { app, ...made, at };
}

describe('a schedule for one time', () => {
  test('is due at this time, leaves a row and is switched off', async () => {
    const { create, read, fires, tasks, at } = await start();
    const schedule = await create({ ...once, name: 'Once' });
    expect(schedule).toMatchObject({ ...once, next_due: '2026-05-01T12:00:00.000Z' });
    await at('2026-05-01T11:59:59Z');
    expect(await tasks()).toEqual([]);
    await at('2026-05-01T12:00:01Z');
    await at('2026-05-03T12:00:01Z');
    const [task] = await tasks();
    expect(await fires(schedule)).toMatchObject([{ result: 'started', task_id: task?.id }]);
    expect(await read(schedule)).toMatchObject({ ...once, active: false, next_due: null });
    expect(await tasks()).toHaveLength(1);
  });

  test('goes when its task has been launched, if it says so', async () => {
    const { app, params, create, tasks, at } = await start();
    const schedule = await create({ ...once, name: 'Once', delete_after_run: true });
    await at('2026-05-01T12:00:01Z');
    expect(await app.admin.call(schedules.list, { params })).toEqual([]);
    // The name goes with the schedule.
    const launcher = { kind: 'schedule', id: schedule.id, name: null };
    expect(await tasks()).toMatchObject([{ schedule_id: schedule.id, launcher }]);
    const [deleted] = await app.admin.call(events.ofProject, {
      params,
      query: { object_type: 'schedule' },
    });
    expect(deleted).toMatchObject({ code: 'schedule.deleted', params: { name: 'Once' } });
  });

  test('that was missed is told, or run at once, as its rule says', async () => {
    const { create, read, fires, tasks, at } = await start();
    const skipped = await create({ ...once, name: 'A', delete_after_run: true });
    const late = await create({ ...once, name: 'B', missed: 'run' });
    await at('2026-05-04T08:00:00Z');
    expect(await fires(skipped)).toMatchObject([{ result: 'missed', count: 1 }]);
    expect(await fires(late)).toMatchObject([{ result: 'started' }]);
    expect([await read(skipped), await read(late)]).toMatchObject([
      { active: false },
      { active: false },
    ]);
    const launcher = { kind: 'schedule', id: late.id, name: 'B' };
    expect(await tasks()).toMatchObject([{ schedule_id: late.id, launcher }]);
  });

  test('stays with its reason when its task could not be launched', async () => {
    const { seed, create, read, at } = await start();
    const survey_vars = [{ name: 'where', title: 'Where to', required: true }];
    const { id: template_id } = await seed.template({ survey_vars });
    const asks = await create({ ...once, template_id, delete_after_run: true });
    await at('2026-05-01T12:00:01Z');
    expect((await read(asks)).last_fire).toMatchObject({ result: 'failed' });
  });
});

test('a time that has passed is refused where it would have to run', async () => {
  const { app, params, create, read } = await start();
  const passed = { ...once, run_at: '2026-05-01T09:00:00Z' };
  await expect(create(passed)).rejects.toThrow(/400/);
  const off = await create({ ...passed, active: false });
  expect(off).toMatchObject({ ...passed, active: false, next_due: null });
  const of = { ...params, schedule_id: off.id };
  const on = await app.admin.ask(schedules.switch, { params: of, body: { active: true } });
  expect([on.status, on.body.fields]).toMatchObject([
    400,
    [{ path: 'run_at', code: 'schedule.run_at_passed' }],
  ]);
  const later = { ...off, run_at: '2026-05-01T11:00:00+00:00', active: true };
  await app.admin.call(schedules.update, { params: of, body: later });
  expect(await read(off)).toMatchObject({
    run_at: '2026-05-01T11:00:00Z',
    next_due: '2026-05-01T11:00:00.000Z',
  });
});

test('each kind of schedule needs its own time', async () => {
  const { app, params, templateId: template_id } = await start();
  const refused = async (body: object) => {
    const answer = await app.admin.ask(schedules.create, {
      params,
      body: { template_id, ...body },
    });
    return [answer.status, answer.body.fields?.map(({ path, code }) => [path, code])];
  };
  const missing = (path: string) => [400, [[path, 'field.required']]];
  expect(await refused({})).toEqual(missing('cron_format'));
  expect(await refused({ cron_format: ' ' })).toEqual(missing('cron_format'));
  for (const none of [undefined, null, '', '0001-01-01T00:00:00Z']) {
    expect(await refused({ type: 'run_at', run_at: none })).toEqual(missing('run_at'));
  }
  const cron = { cron_format: '@daily', run_at: '0001-01-01T00:00:00Z', delete_after_run: true };
  const made = await app.admin.call(schedules.create, { params, body: { template_id, ...cron } });
  expect(made).toMatchObject({ type: '', run_at: null, delete_after_run: false, active: false });
});

test('an interval is due that long after the last time, after a restart too', async () => {
  const { create, read, fires, tasks, at } = await start();
  const schedule = await create({ cron_format: '@every 1h', missed: 'run' });
  expect(schedule.next_due).toMatch(/^2026-05-01T11:00:2/);
  await at('2026-05-01T11:00:30Z');
  expect((await read(schedule)).next_due).toMatch(/^2026-05-01T12:00:2/);
  expect(await tasks()).toHaveLength(1);
  // The server was down for some hours.
  await at('2026-05-01T15:30:00Z');
  expect(await fires(schedule)).toHaveLength(5);
  expect((await read(schedule)).next_due).toMatch(/^2026-05-01T16:00:2/);
});
