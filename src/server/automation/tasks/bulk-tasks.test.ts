// Actions on many tasks at once.

import { expect, test } from 'vitest';
import { MAX_BULK_IDS } from '#shared/api/bulk.ts';
import { events } from '#shared/api/events.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { claimNext, launch, readTask } from '../../../../test/helpers/tasks.ts';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const template = await seed.template({ allow_override_limit_in_task: true });
  const launched = [];
  for (const limit of ['web1', 'web2', 'web3']) {
    launched.push(await launch(app.admin, seed.projectId, { template_id: template.id, limit }));
  }
  const other = await seedProject(app.admin, null);
  const otherTemplate = await other.template({ name: 'Foreign' });
  const foreign = await launch(app.admin, other.projectId, { template_id: otherTemplate.id });
  const ids = launched.map(({ id }) => id);
  const act = async (action: 'stop' | 'restart', of = [...ids, foreign.id]) => {
    const results = await app.admin.call(tasks.bulk, { params, body: { action, ids: of } });
    return results
      .map(({ id, ok, error, task_id }) => ({ id, ok, code: error?.code, task_id }))
      .toSorted((one, next) => one.id - next.id);
  };
  const list = () => app.admin.call(tasks.list, { params });
  return { app, params, template, launched, ids, foreign, act, list };
}

test('stops waiting and running tasks, and none of another project', async () => {
  const { app, params, launched, ids, foreign, act, list } = await start();
  const claimed = await claimNext(app.ctx);
  expect(claimed?.id).toBe(ids[0]);
  expect(await act('stop')).toEqual([
    ...ids.map((id) => ({ id, ok: true, code: undefined, task_id: null })),
    { id: foreign.id, ok: false, code: 'task.not_found', task_id: null },
  ]);
  expect((await list()).map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopping']);
  expect((await readTask(app.admin, foreign)).status).toBe('waiting');
  const recorded = await app.admin.call(events.ofProject, { params });
  const stopped = recorded.filter(({ code }) => code === 'task.stopped');
  expect(stopped.map(({ object_id: id }) => id)).toEqual(launched.map(({ id }) => id));
});

test('restarts each with its own options, in the order of the earlier tasks', async () => {
  const { ids, foreign, act, list } = await start();
  const results = await act('restart', [...ids.toReversed(), foreign.id]);
  expect(results.map(({ ok, code }) => [ok, code])).toEqual([
    ...ids.map(() => [true, undefined]),
    [false, 'task.not_found'],
  ]);
  const again = (await list()).slice(0, 3).toReversed();
  expect(again.map(({ id, limit }) => [id, limit])).toEqual(
    ['web1', 'web2', 'web3'].map((limit, index) => [results[index]?.task_id, limit]),
  );
});

test('says which tasks cannot be restarted, and starts the others', async () => {
  const { app, params, template, ids, act, list } = await start();
  const place = { params: { ...params, template_id: template.id } };
  const { last_task: _last, ...body } = await app.admin.call(templates.one, place);
  await app.admin.call(templates.update, {
    ...place,
    body: { ...body, allow_override_limit_in_task: false },
  });
  const plain = await launch(app.admin, params.project_id, { template_id: template.id });
  const results = await act('restart', [...ids, plain.id]);
  expect(results.map(({ ok, code }) => [ok, code])).toEqual([
    ...ids.map(() => [false, 'task.field_not_allowed']),
    [true, undefined],
  ]);
  expect(await list()).toHaveLength(5);
});

test('a finished task is stopped without an effect, so that the call can be repeated', async () => {
  const { ids, act, list } = await start();
  await act('stop', ids);
  expect((await act('stop', ids)).map(({ ok }) => ok)).toEqual([true, true, true]);
  expect((await list()).map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped']);
});

test('refuses an unknown action, and no or too many ids', async () => {
  const { app, params, ids } = await start();
  const tooMany = Array.from({ length: MAX_BULK_IDS + 1 }, (_, index) => index + 1);
  const bodies: [object, string][] = [
    [{ action: 'delete', ids }, 'action'],
    [{ action: 'stop', ids: [] }, 'ids'],
    [{ action: 'stop', ids: tooMany }, 'ids'],
  ];
  for (const [body, path] of bodies) {
    const url = `/api/project/${params.project_id}/tasks/bulk`;
    const answer = await app.admin.raw({ method: 'POST', url, payload: body });
    const { fields } = answer.json<{ fields: { path: string }[] }>();
    expect([answer.statusCode, fields.map((one) => one.path)]).toEqual([400, [path]]);
  }
});
