// Release on PostgreSQL: it is about clocks; races of several servers have tests of their own.
import { describe, expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { schedules, type Fire } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { emptyQueue, seedSchedules } from '../../../../test/helpers/schedules.ts';
import { untilStatus } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';
import { tidyFires } from './schedules.ts';

async function start(now = '2026-05-01T10:00:20Z') {
  const app = await testApp();
  app.clock.set(now);
  const made = await seedSchedules(app, null);
  const at = async (time: string): Promise<void> => {
    app.clock.set(time);
    await app.app.scheduler.runOnce();
  };
  return { app, ...made, at };
}

const shown = (fires: Fire[]): [string, string][] =>
  fires.map(({ due, result, reason }) => [due.slice(11, 16), reason ?? result]);

describe('a schedule', () => {
  test('launches its task when it is due: once', async () => {
    const { app, create, read, fires, at, ...made } = await start();
    const schedule = await create({ name: 'Every minute' });
    await at('2026-05-01T10:00:59.900Z');
    expect(await fires(schedule)).toEqual([]);
    await at('2026-05-01T10:01:00.100Z');
    await app.app.scheduler.runOnce();
    const [task] = await made.tasks();
    expect(task).toMatchObject({ schedule_id: schedule.id, user_id: null, status: 'waiting' });
    const [fire] = await fires(schedule);
    expect(fire).toEqual({
      id: fire?.id,
      schedule_id: schedule.id,
      due: '2026-05-01T10:01:00.000Z',
      noticed: expect.stringMatching(/^2026-05-01T10:01:00/) as string,
      result: 'started',
      reason: null,
      task_id: task?.id,
      workflow_run_id: null,
      commit_hash: null,
      code: null,
      params: {},
      error: null,
      count: 1,
    });
    const next = '2026-05-01T10:02:00.000Z';
    expect(await read(schedule)).toEqual({ ...schedule, next_due: next, last_fire: fire });
    expect(await made.tasks()).toHaveLength(1);
  });

  test('skips a time while the task of an earlier one waits', async () => {
    const { app, create, fires, at, ...made } = await start();
    const [schedule, other] = [await create(), await create()];
    await at('2026-05-01T10:01:01Z');
    await at('2026-05-01T10:02:01Z');
    await emptyQueue(app);
    await at('2026-05-01T10:03:01Z');
    for (const one of [schedule, other]) {
      expect(shown(await fires(one))).toEqual([
        ['10:01', 'started'],
        ['10:02', 'previous_waiting'],
        ['10:03', 'started'],
      ]);
    }
    expect(await made.tasks()).toHaveLength(4);
  });

  test('says why its task could not be launched, and goes on', async () => {
    const { app, params, seed, create, fires, read, at, ...made } = await start();
    const survey_vars = [{ name: 'where', title: 'Where to', required: true }];
    const { id: template_id } = await seed.template({ survey_vars });
    const asks = await create({ name: 'Asks', template_id });
    const off = await create({ name: 'Off' });
    const app_id = 'ansible';
    await app.admin.call(apps.switch, { params: { app_id }, body: { active: false } });
    await at('2026-05-01T10:01:01Z');
    const answer = await read(asks);
    expect(answer.last_fire).toMatchObject({
      result: 'failed',
      code: 'survey.answer_required',
      params: { title: 'Where to' },
      error: 'Where to is required',
      task_id: null,
    });
    expect((await read(off)).last_fire).toMatchObject({
      code: 'template.app_inactive',
      params: { app: 'Ansible Playbook' },
    });
    const events = await app.ctx.db
      .selectFrom('events')
      .selectAll()
      .where('code', '=', 'schedule.failed')
      .orderBy('object_id')
      .execute();
    expect(events.map(({ via, via_id, user_id }) => [via, via_id, user_id])).toEqual([
      ['schedule', asks.id, null],
      ['schedule', off.id, null],
    ]);
    expect(JSON.parse(events[0]?.params ?? '')).toEqual({
      name: 'Asks',
      reason: 'Where to is required',
    });
    await app.admin.call(apps.switch, { params: { app_id }, body: { active: true } });
    await at('2026-05-01T10:02:01Z');
    expect(shown(await fires(off))).toEqual([
      ['10:01', 'failed'],
      ['10:02', 'started'],
    ]);
    expect(await made.tasks()).toHaveLength(1);
    expect(params.project_id).toBe(seed.projectId);
  });

  test('misses what was due while the server was down, and runs once if it is to', async () => {
    const { app, create, fires, read, at, ...made } = await start();
    const skip = await create({ name: 'Skip', missed: 'skip' });
    const run = await create({ name: 'Run', missed: 'run' });
    await at('2026-05-01T10:05:30Z');
    const missed = ['10:01', '10:02', '10:03', '10:04'].map((time) => [time, 'missed']);
    expect(shown(await fires(skip))).toEqual([...missed, ['10:05', 'started']]);
    // The run for the missed times still waits.
    expect(shown(await fires(run))).toEqual([
      ...missed.slice(0, 3),
      ['10:04', 'started'],
      ['10:05', 'previous_waiting'],
    ]);
    await emptyQueue(app);
    await at('2026-05-01T20:05:30Z');
    const rows = await fires(run);
    expect(rows).toHaveLength(5 + 1 + 100 + 1);
    expect(rows[5]).toMatchObject({ result: 'missed', count: 600 - 101 });
    expect(shown(rows.slice(-3))).toEqual([
      ['20:03', 'missed'],
      ['20:04', 'started'],
      ['20:05', 'previous_waiting'],
    ]);
    expect((await read(skip)).next_due).toBe('2026-05-01T20:06:00.000Z');
    expect(await made.tasks()).toHaveLength(4);
    const events = await app.ctx.db
      .selectFrom('events')
      .select(['params', 'via'])
      .where('code', '=', 'schedule.missed')
      .where('object_id', '=', skip.id)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { via: 'schedule', params: JSON.stringify({ name: 'Skip', count: 4 }) },
      { via: 'schedule', params: JSON.stringify({ name: 'Skip', count: 599 }) },
    ]);
  });

  test('fires no time twice when the clock is set back', async () => {
    const { app, create, fires, at, params, ...made } = await start();
    const schedule = await create();
    await at('2026-05-01T10:01:01Z');
    await emptyQueue(app);
    await at('2026-05-01T09:59:01Z');
    await at('2026-05-01T10:01:01Z');
    expect(shown(await fires(schedule))).toEqual([['10:01', 'started']]);
    // A change computes the next due time again, from the current time.
    app.clock.set('2026-05-01T10:00:30Z');
    for (const active of [false, true]) {
      const of = { ...params, schedule_id: schedule.id };
      await app.admin.call(schedules.switch, { params: of, body: { active } });
    }
    for (const time of ['10:01:01', '10:02:01']) await at(`2026-05-01T${time}Z`);
    expect(shown(await fires(schedule))).toEqual([
      ['10:01', 'started'],
      ['10:02', 'started'],
    ]);
    expect(await made.tasks()).toHaveLength(2);
  });

  test('is not held up by another one that the database refuses', async () => {
    const { app, create, fires, read, at } = await start();
    const [broken, sound] = [await create(), await create()];
    await app.ctx.db
      .updateTable('schedules')
      .set({ time_zone: 'Nowhere' })
      .where('id', '=', broken.id)
      .execute();
    await at('2026-05-01T10:01:01Z');
    expect(shown(await fires(sound))).toEqual([['10:01', 'started']]);
    expect(await read(broken)).toMatchObject({ next_due: broken.next_due, last_fire: null });
  });

  test('that cannot launch for a reason of ours fails, and its due time is gone', async () => {
    const { app, create, fires, read, at } = await start();
    const schedule = await create();
    // After a failed statement, PostgreSQL continues a transaction only from a savepoint.
    const { schema } = app.ctx.db;
    await schema.alterTable('tasks').renameColumn('snapshot', 'other').execute();
    await at('2026-05-01T10:01:01Z');
    const [fire] = await fires(schedule);
    expect(fire).toMatchObject({ result: 'failed', code: 'request.internal', task_id: null });
    expect(await read(schedule)).toMatchObject({ next_due: '2026-05-01T10:02:00.000Z' });
    await schema.alterTable('tasks').renameColumn('other', 'snapshot').execute();
    await at('2026-05-01T10:02:01Z');
    expect(shown(await fires(schedule))).toEqual([
      ['10:01', 'failed'],
      ['10:02', 'started'],
    ]);
  });
});

describe('through a change of clocks', () => {
  // Steps of half an hour over two days, as if the server checked that often.
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:01Z', 2],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:01Z', 2],
    ['0 * * * *', 'Europe/Berlin', '2026-10-24T12:01Z', 48],
    ['0 * * * *', 'Europe/Berlin', '2026-03-28T12:01Z', 48],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:01Z', 2],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:01Z', 2],
    ['0 * * * *', 'America/New_York', '2026-10-31T12:01Z', 48],
  ])('%s in %s from %s is launched %i times in 48 hours', async (cron, zone, from, times) => {
    const { app, create, fires, at, ...made } = await start(from);
    const schedule = await create({ cron_format: cron, time_zone: zone });
    const begin = Date.parse(from) - 60_000;
    for (let half = 1; half <= 96; half += 1) {
      await at(new Date(begin + half * 1_800_000 + 500).toISOString());
      await emptyQueue(app);
    }
    const results = (await fires(schedule)).map(({ result }) => result);
    expect(results).toEqual(Array.from({ length: times }, () => 'started'));
    expect(await made.tasks()).toHaveLength(times);
  });
});

test('what became of due times is read in pages, and the newest thousand are kept', async () => {
  const { app, create, at, params } = await start();
  const { id } = await create({ name: 'Many' });
  await at('2026-05-01T12:00:20Z');
  const path = `/api/project/${params.project_id}/schedules/${id}/fires?limit=50`;
  const first = await app.admin.raw({ method: 'GET', url: path });
  const fires = first.json<Fire[]>();
  expect(fires.map(({ due }) => due)).toEqual(
    fires
      .map(({ due }) => due)
      .toSorted()
      .toReversed(),
  );
  expect(fires).toHaveLength(50);
  const last = fires.at(-1)?.id;
  expect(first.headers['link']).toBe(`<${path}&before=${last}>; rel="next"`);
  const next = await app.admin.raw({ method: 'GET', url: `${path}&before=${last}` });
  expect(next.json<Fire[]>()[0]?.id).toBe((last ?? 0) - 1);
  const end = await app.admin.raw({ method: 'GET', url: `${path}&before=30` });
  expect(end.headers['link']).toBeUndefined();

  const due = (minute: number) => new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString();
  const old = Array.from({ length: 1000 }, (_, minute) => ({
    schedule_id: id,
    due: due(minute),
    noticed: due(minute),
    result: 'started' as const,
  }));
  for (let from = 0; from < old.length; from += 100) {
    await app.ctx.db
      .insertInto('schedule_fires')
      .values(old.slice(from, from + 100) as never)
      .execute();
  }
  const rest = await create({ name: 'Few' });
  await at('2026-05-01T12:01:20Z');
  await tidyFires(app.ctx);
  const rows = await app.ctx.db.selectFrom('schedule_fires').selectAll().orderBy('id').execute();
  const own = rows.filter((row) => row.schedule_id === id);
  expect(own).toHaveLength(1000);
  expect(own[0]?.due).toBe(due(1));
  expect(rows.some((row) => row.schedule_id === rest.id)).toBe(true);
});

test('with the runner it wakes by itself, by a event and by its timer', async () => {
  const app = await testApp({ runner: true });
  app.clock.set('2026-05-01T10:00:20Z');
  const { create, fires, ...made } = await seedSchedules(app);
  const schedule = await create();
  // The hub event set the timer to the next minute, which is now half a second away.
  app.clock.set('2026-05-01T10:00:59.500Z');
  const other = await create({ name: 'Its creation is a event' });
  const [task] = await until(async () => {
    const all = await made.tasks();
    return all.length === 2 && all;
  });
  expect(shown([...(await fires(schedule)), ...(await fires(other))])).toEqual([
    ['10:01', 'started'],
    ['10:01', 'started'],
  ]);
  await untilStatus(app.admin, task as NonNullable<typeof task>, 'success');
  const params = { ...made.params, task_id: task?.id ?? 0 };
  expect((await app.admin.call(tasks.one, { params })).schedule_id).toBe(schedule.id);
  await app.admin.call(schedules.remove, { params: { ...made.params, schedule_id: schedule.id } });
  expect((await app.admin.call(tasks.one, { params })).schedule_id).toBe(schedule.id);
  expect(await app.admin.call(templates.list, { params: made.params })).toHaveLength(1);
});
