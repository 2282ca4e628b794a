// Actions on many templates at once.

import { expect, test } from 'vitest';
import { MAX_BULK_IDS, type BulkResult } from '#shared/api/bulk.ts';
import { events } from '#shared/api/events.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const ids: number[] = [];
  for (const name of ['A', 'B', 'C']) ids.push((await seed.template({ name })).id);
  const { seed: _other, id: foreignId } = await foreignTemplate(app);
  return { app, seed, params, ids, foreignId };
}

async function foreignTemplate(app: Awaited<ReturnType<typeof appWithProject>>['app']) {
  const seed = await seedProject(app.admin, null);
  return { seed, id: (await seed.template({ name: 'Foreign' })).id };
}

const short = (results: BulkResult[]) =>
  results.map(({ id, ok, error }) => [id, ok, error?.code ?? null]);

test('runs each template with its own options, and says which one it refuses', async () => {
  const { app, seed, params, ids, foreignId } = await start();
  const variable = { name: 'version', title: 'Version', required: true };
  const asking = await seed.template({ name: 'Asks', survey_vars: [variable] });
  const body = { ids: [...ids, foreignId, asking.id, ids[0] ?? 0] };
  const results = await app.admin.call(templates.bulkRun, { params, body });
  expect(short(results)).toEqual([
    ...ids.map((id) => [id, true, null]),
    [foreignId, false, 'template.not_found'],
    [asking.id, false, 'request.invalid'],
  ]);
  expect(results[4]?.error?.fields.map(({ path }) => path)).toEqual(['environment.version']);
  const launched = await app.admin.call(tasks.list, { params });
  expect(launched.map(({ id, template_id: of }) => [of, id])).toEqual(
    results.flatMap(({ id, task_id: task }) => (task === null ? [] : [[id, task]])).toReversed(),
  );
});

test('changes only the given values of each template, with an event for each', async () => {
  const { app, params, ids, foreignId, seed } = await start();
  const view = await app.admin.call(views.create, { params, body: { title: 'Nightly' } });
  const read = () =>
    Promise.all(
      ids.map((id) => app.admin.call(templates.one, { params: { ...params, template_id: id } })),
    );
  const before = await read();
  const values = { view_id: view.id, git_branch: 'stable' };
  const body = { action: 'change' as const, ids: [foreignId, ...ids], values };
  expect(short(await app.admin.call(templates.bulk, { params, body }))).toEqual([
    [foreignId, false, 'template.not_found'],
    ...ids.map((id) => [id, true, null]),
  ]);
  expect(await read()).toEqual(before.map((one) => ({ ...one, ...values })));
  const recorded = await app.admin.call(events.ofProject, { params });
  const changed = recorded.filter(({ code }) => code === 'template.changed');
  expect(changed.map(({ object_id: id }) => id).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
    ids,
  );
  const cleared = { action: 'change' as const, ids, values: { view_id: null, git_branch: null } };
  await app.admin.call(templates.bulk, { params, body: cleared });
  expect(await read()).toEqual(before);
  const wrong = {
    action: 'change' as const,
    ids,
    values: { inventory_id: seed.inventoryId + 999 },
  };
  expect(short(await app.admin.call(templates.bulk, { params, body: wrong }))).toEqual(
    ids.map((id) => [id, false, 'request.invalid']),
  );
});

test('deletes what it can, and can be repeated', async () => {
  const { app, params, ids } = await start();
  const [first = 0] = ids;
  await app.admin.call(tasks.start, { params, body: { template_id: first } });
  const body = { action: 'delete' as const, ids };
  expect(short(await app.admin.call(templates.bulk, { params, body }))).toEqual(
    ids.map((id) => (id === first ? [id, false, 'template.in_use'] : [id, true, null])),
  );
  expect(short(await app.admin.call(templates.bulk, { params, body }))).toEqual(
    ids.map((id) => [id, false, id === first ? 'template.in_use' : 'template.not_found']),
  );
});

test('refuses an unknown action, no or too many ids, and values that do not fit', async () => {
  const { app, params, ids } = await start();
  const tooMany = Array.from({ length: MAX_BULK_IDS + 1 }, (_, index) => index + 1);
  const bodies: [object, string][] = [
    [{ action: 'rename', ids }, 'action'],
    [{ action: 'delete', ids: tooMany }, 'ids'],
    [{ action: 'delete', ids: [] }, 'ids'],
    [{ action: 'delete', ids, values: { view_id: null } }, 'values'],
    [{ action: 'change', ids }, 'values'],
    [{ action: 'change', ids, values: { name: 'Same' } }, 'values.name'],
  ];
  for (const [body, path] of bodies) {
    const url = `/api/project/${params.project_id}/templates/bulk`;
    const answer = await app.admin.raw({ method: 'POST', url, payload: body });
    const { fields } = answer.json<{ fields: { path: string }[] }>();
    expect([body, answer.statusCode, fields.map((one) => one.path)]).toEqual([body, 400, [path]]);
  }
  const answer = await app.admin.ask(templates.bulkRun, { params, body: { ids: tooMany } });
  expect(answer.status).toBe(400);
});
