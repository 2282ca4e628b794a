// Projects, their teams and what happened in them, as clients of the older API ask for them.

import { expect, test } from 'vitest';
import { oldClient, oldProject, sameServer } from '../helpers/old-client.ts';

test('a project is made, changed as a whole object and deleted', async () => {
  const client = await oldClient();
  const form = { name: 'Old', alert: null, alert_chat: '', max_parallel_tasks: '', id: null };
  const made = await client.ask('POST', '/projects', form);
  const shown = {
    id: expect.any(Number),
    name: 'Old',
    created: expect.stringMatching(/Z$/),
    alert: false,
    alert_chat: '',
    max_parallel_tasks: 0,
    runner_tags: [],
    keep_home: false,
    host_facts: [],
    execution_environment_id: null,
    type: '',
  };
  expect([made.status, made.json]).toEqual([201, shown]);
  const path = `/project/${Number(made.json['id'])}`;
  const one = await client.call('GET', path);
  const change = { ...one, alert: true, alert_chat: '-100', max_parallel_tasks: '3' };
  const changed = await client.ask('PUT', path, { ...change, project_id: one['id'] });
  expect([changed.status, changed.text]).toEqual([204, '']);
  const now = { ...shown, alert: true, alert_chat: '-100', max_parallel_tasks: 3 };
  expect(await client.call('GET', path)).toEqual(now);
  expect(await client.list('/projects')).toEqual([now]);
  expect(await client.call('GET', `${path}/role`)).toEqual({ role: 'owner', permissions: 15 });
  const other = await client.ask('PUT', path, { ...change, id: 999 });
  expect(other.status).toBe(400);
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect((await client.ask('GET', path)).status).toBe(404);
});

test('a demo project comes with templates', async () => {
  const client = await oldClient();
  const { id } = await client.call('POST', '/projects', { name: 'Demo', demo: true });
  const templates = await client.list(`/project/${Number(id)}/templates?sort=name&order=asc`);
  expect(templates.length).toBeGreaterThan(3);
});

test('a team is filled, changed, sorted and left', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const { userId } = await client.app.user('ada');
  const team = `${project.at}/users`;
  const link = { user_id: userId, role: 'guest', project_id: project.id };
  expect((await client.ask('POST', team, link)).status).toBe(204);
  expect((await client.ask('POST', team, link)).status).toBe(409);
  const ada = { id: userId, username: 'ada', name: 'ada', role: 'guest' };
  const list = await client.list(`${team}?sort=name&order=asc`);
  expect(list).toEqual([
    { ...ada, from_rules: false },
    expect.objectContaining({ username: 'root', role: 'owner' }),
  ]);
  const change = { ...ada, role: 'task_runner', project_id: project.id };
  expect((await client.ask('PUT', `${team}/${userId}`, change)).status).toBe(204);
  const hers = await sameServer(client, 'ada');
  expect(await hers.call('GET', `${project.at}/role`)).toEqual({
    role: 'task_runner',
    permissions: 1,
  });
  expect((await hers.ask('POST', `${project.at}/keys`, { name: 'x', type: 'none' })).status).toBe(
    403,
  );
  expect((await hers.ask('DELETE', `${project.at}/me`)).status).toBe(204);
  expect((await hers.ask('GET', project.at)).status).toBe(404);
});

test('events have the fields that there were', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  for (const path of [`${project.at}/events`, `${project.at}/events/last`, '/events/last']) {
    const [event] = await client.list(path);
    expect(event).toMatchObject({
      user_id: expect.any(Number),
      project_id: project.id,
      integration_id: null,
      object_id: project.environment,
      object_type: 'environment',
      object_name: 'Nothing',
      description: 'Environment "Nothing" created',
      created: expect.stringMatching(/Z$/),
      project_name: 'Old',
      username: 'root',
    });
  }
});

test('views are added, put into order, renamed and removed', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const views = `${project.at}/views`;
  const add = async (title: string, position: number) => {
    const form = { id: -1 - position, title, position, project_id: project.id };
    const answer = await client.ask('POST', views, form);
    expect(answer.status).toBe(201);
    return Number(answer.json['id']);
  };
  const [first, second] = [await add('First', 0), await add('Second', 1)];
  const order = { [second]: 0, [first]: 1 };
  expect((await client.ask('POST', `${views}/positions`, order)).status).toBe(204);
  const renamed = { id: first, project_id: project.id, title: 'Last', position: 1 };
  expect((await client.ask('PUT', `${views}/${first}`, renamed)).status).toBe(204);
  expect(await client.list(views)).toEqual([
    { id: second, project_id: project.id, title: 'Second', position: 0 },
    renamed,
  ]);
  expect(await client.list(`${views}/${first}/templates`)).toEqual([]);
  expect((await client.ask('DELETE', `${views}/${first}`)).status).toBe(204);
});
