// Actions on many schedules at once.

import { expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { schedules } from '#shared/api/schedules.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedSchedules } from '../../../../test/helpers/schedules.ts';

async function start() {
  const app = await testApp();
  const { params, create } = await seedSchedules(app, null);
  const ids: number[] = [];
  for (const name of ['A', 'B', 'C']) ids.push((await create({ name })).id);
  const other = await seedSchedules(app, null);
  const foreign = (await other.create()).id;
  const act = async (action: 'pause' | 'enable' | 'delete', of = [...ids, foreign]) => {
    const results = await app.admin.call(schedules.bulk, { params, body: { action, ids: of } });
    return results.map(({ id, ok, error }) => [id, ok, error?.code ?? null]);
  };
  const list = () => app.admin.call(schedules.list, { params, query: {} });
  return { app, params, ids, foreign, other, act, list };
}

test('pauses and enables all of them, and none of another project', async () => {
  const { app, params, ids, foreign, other, act, list } = await start();
  const expected = [...ids.map((id) => [id, true, null]), [foreign, false, 'schedule.not_found']];
  expect(await act('pause')).toEqual(expected);
  expect((await list()).map(({ active, next_due }) => [active, next_due])).toEqual(
    ids.map(() => [false, null]),
  );
  expect(await act('enable')).toEqual(expected);
  expect((await list()).map(({ active }) => active)).toEqual(ids.map(() => true));
  const [kept] = await app.admin.call(schedules.list, { params: other.params, query: {} });
  expect(kept?.active).toBe(true);
  const recorded = await app.admin.call(events.ofProject, { params });
  const codes = recorded.map(({ code }) => code);
  expect(codes.filter((code) => code === 'schedule.switched_off')).toHaveLength(3);
  expect(codes.filter((code) => code === 'schedule.switched_on')).toHaveLength(3);
});

test('deletes what exists, also when the call is repeated', async () => {
  const { ids, act, list } = await start();
  const [first = 0, ...others] = ids;
  expect(await act('delete', [first])).toEqual([[first, true, null]]);
  expect(await act('delete', ids)).toEqual([
    [first, false, 'schedule.not_found'],
    ...others.map((id) => [id, true, null]),
  ]);
  expect(await list()).toEqual([]);
});

test('refuses an unknown action', async () => {
  const { app, params, ids } = await start();
  const url = `/api/project/${params.project_id}/schedules/bulk`;
  const answer = await app.admin.raw({ method: 'POST', url, payload: { action: 'run', ids } });
  expect(answer.statusCode).toBe(400);
});
