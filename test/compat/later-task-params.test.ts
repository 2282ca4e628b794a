// What schedules and integrations give their tasks, as clients of later versions of the API say it.

import { expect, test } from 'vitest';
import { integrations } from '#shared/api/integrations.ts';
import { inventories } from '#shared/api/inventories.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { makeReceiver } from '../helpers/integrations.ts';
import { type Json, open, send } from '../helpers/later-forms.ts';
import { emptyQueue, seedSchedules } from '../helpers/schedules.ts';

async function scheduled() {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const made = await seedSchedules(app, null);
  const update = { project_id: made.seed.projectId, template_id: made.templateId };
  const template = await app.admin.call(templates.one, { params: update });
  await app.admin.call(templates.update, { params: update, body: { ...template, ...open } });
  const inventory = await app.admin.call(inventories.create, {
    params: made.params,
    body: { name: 'Two', type: 'static', inventory: 'web1', ssh_key_id: made.seed.keyId },
  });
  return { app, ...made, inventory };
}

test('a schedule gives its tasks what `task_params` say, in either form, and keeps it', async () => {
  const { app, params: project, templateId, inventory, ...made } = await scheduled();
  const url = `/api/project/${project.project_id}/schedules`;
  const answer = await send(app, 'POST', url, {
    template_id: templateId,
    name: 'Nightly',
    cron_format: '* * * * *',
    time_zone: 'UTC',
    active: true,
    task_params: {
      message: 'by night',
      inventory_id: inventory.id,
      arguments: '["-e", "a=b"]',
      git_branch: 'release',
      params: { limit: ['web1', 'web2'], dry_run: true },
    },
  });
  expect([answer.status, answer.json['task_params']]).toMatchObject([
    201,
    { limit: 'web1,web2', dry_run: true, params: { limit: ['web1', 'web2'], dry_run: true } },
  ]);
  app.clock.set('2026-05-01T10:01:00Z');
  await app.app.scheduler.runOnce();
  expect(await made.tasks()).toMatchObject([
    {
      message: 'by night',
      inventory_id: inventory.id,
      arguments: '["-e", "a=b"]',
      git_branch: 'release',
      limit: 'web1,web2',
      dry_run: true,
    },
  ]);
  // A client that knows nothing of them takes nothing away.
  const one = `${url}/${Number(answer.json['id'])}`;
  const rest = { ...answer.json, task_params: undefined };
  expect((await send(app, 'PUT', one, { ...rest, name: 'Later' })).status).toBe(204);
  await emptyQueue(app);
  app.clock.set('2026-05-01T10:02:00Z');
  await app.app.scheduler.runOnce();
  expect((await made.tasks()).at(-1)).toMatchObject({ limit: 'web1,web2', dry_run: true });
  const { json } = await send(app, 'GET', one);
  const unlike = { ...(json['task_params'] as Json), params: { limit: ['web1'] } };
  expect((await send(app, 'PUT', one, { ...json, task_params: unlike })).status).toBe(400);
  // What limits the run and is left out inside of them stays, too.
  const changed = { params: { limit: ['web1'] } };
  expect((await send(app, 'PUT', one, { ...json, task_params: changed })).status).toBe(204);
  expect((await send(app, 'GET', one)).json['task_params']).toMatchObject({
    limit: 'web1',
    dry_run: true,
  });
  expect((await send(app, 'PUT', one, { ...json, task_params: null })).status).toBe(204);
  expect((await send(app, 'GET', one)).json['task_params']).toBeNull();
});

test('a schedule is refused what its template does not open, and what nobody knows', async () => {
  const app = await testApp();
  const { params: project, templateId } = await seedSchedules(app, null);
  const url = `/api/project/${project.project_id}/schedules`;
  const body = { template_id: templateId, cron_format: '@daily' };
  const closed = await send(app, 'POST', url, { ...body, task_params: { limit: 'web1' } });
  expect(closed.json).toMatchObject({ code: 'task.field_not_allowed', params: { field: 'limit' } });
  for (const [task_params, path] of [
    [{ hosts: 'web1' }, 'task_params.hosts'],
    [{ params: { hosts: ['web1'] } }, 'task_params.params.hosts'],
    [{ secret: '{}' }, 'task_params.secret'],
  ] as const) {
    const { status, fields } = await send(app, 'POST', url, { ...body, task_params });
    expect([status, fields]).toEqual([400, [[path, 'field.unknown']]]);
  }
  const answers = { environment: '{"unknown": 1}' };
  const asked = await send(app, 'POST', url, { ...body, task_params: answers });
  expect(asked.status).toBe(422);
  expect(await app.admin.call(schedules.list, { params: project })).toEqual([]);
});

test('an inventory that a schedule names stays', async () => {
  const { app, params: project, create, inventory } = await scheduled();
  const schedule = await create({ name: 'Nightly', task_params: { inventory_id: inventory.id } });
  const place = { ...project, inventory_id: inventory.id };
  const { status, body } = await app.admin.ask(inventories.remove, { params: place });
  expect([status, body]).toMatchObject([400, { code: 'inventory.in_use' }]);
  const refs = await app.admin.call(inventories.refs, { params: place });
  expect(refs.schedules).toEqual([{ id: schedule.id, name: 'Nightly' }]);
});

test('a schedule that is made without saying so is off', async () => {
  const app = await testApp();
  const { params: project, templateId: template_id } = await seedSchedules(app, null);
  const body = { template_id, cron_format: '* * * * *', name: 'Later' };
  const made = await app.admin.call(schedules.create, { params: project, body });
  expect(made).toMatchObject({ active: false, next_due: null });
});

test('an integration keeps what its tasks are given when a client leaves it out', async () => {
  const { app, seed } = await appWithProject(null);
  const { id } = await seed.template(open);
  const receiver = await makeReceiver(app.admin, seed.projectId, { template_id: id });
  const url = `/api/project/${seed.projectId}/integrations/${receiver.integration.id}`;
  const { name } = receiver.integration;
  const nested = { message: 'hook', params: { limit: ['web1'], debug: true, debug_level: 3 } };
  const body = { name, template_id: id, task_params: nested };
  expect((await send(app, 'PUT', url, body)).status).toBe(204);
  expect((await send(app, 'PUT', url, { name, template_id: id })).status).toBe(204);
  const read = await app.admin.call(integrations.one, { params: receiver.params });
  expect(read.task_params).toMatchObject({ limit: 'web1', debug: true, debug_level: 3 });
  await receiver.match({ value: 'main' });
  expect((await receiver.send({ body: { ref: 'main' } })).statusCode).toBeLessThan(300);
  const [task] = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
  expect(task).toMatchObject({ message: 'hook', limit: 'web1', debug: true, debug_level: 3 });
  const unknown = await send(app, 'PUT', url, { ...body, task_params: { params: { host: 1 } } });
  expect(unknown.fields).toEqual([['task_params.params.host', 'field.unknown']]);
});
