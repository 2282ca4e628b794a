// An integration as the older web client sets it up, and a webhook that starts a task by it.

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { oldClient, oldProject, oldTemplate, untilStatus } from '../helpers/old-client.ts';

test('a signed webhook that matches starts a task with the values taken out of it', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const template = await client.call('POST', `${project.at}/templates`, oldTemplate(project));
  const login_password = { login: '', password: 'shared word' };
  const login = { name: 'Hook', type: 'login_password', login_password };
  const key = await client.call('POST', `${project.at}/keys`, { ...login, project_id: project.id });
  const all = `${project.at}/integrations`;
  const form = {
    project_id: project.id,
    name: 'Push',
    template_id: template['id'],
    auth_method: 'github',
    auth_secret_id: key['id'],
    auth_header: null,
    searchable: null,
    task_params: {},
  };
  const made = await client.ask('POST', all, form);
  expect(made.status).toBe(201);
  const at = `${all}/${Number(made.json['id'])}`;
  const one = await client.call('GET', at);
  expect(one).toMatchObject({ ...form, auth_header: '', searchable: false, id: made.json['id'] });
  expect((await client.ask('PUT', at, { ...one, searchable: true })).status).toBe(204);

  const integration_id = made.json['id'];
  const matcher = {
    integration_id,
    name: 'Main',
    match_type: 'body',
    body_data_type: 'json',
    key: 'ref',
    method: 'equals',
    value: 'refs/heads/main',
  };
  const rule = await client.ask('POST', `${at}/matchers`, { ...matcher, project_id: project.id });
  expect(rule.status).toBe(200);
  const rulePath = `${at}/matchers/${Number(rule.json['id'])}`;
  expect((await client.ask('PUT', rulePath, { id: rule.json['id'], ...matcher })).status).toBe(204);
  expect(await client.list(`${at}/matchers`)).toEqual([{ id: rule.json['id'], ...matcher }]);
  const value = {
    integration_id,
    name: 'Commit',
    value_source: 'body',
    body_data_type: 'json',
    key: 'after',
    variable: 'commit',
    variable_type: 'environment',
  };
  const taken = await client.ask('POST', `${at}/values`, { ...value, project_id: project.id });
  expect(taken.status).toBe(201);
  expect(await client.list(`${at}/values`)).toEqual([{ id: taken.json['id'], ...value }]);
  expect(await client.call('GET', `${rulePath}/refs`)).toMatchObject({
    integrations: [{ id: integration_id }],
  });

  const alias = await client.call('POST', `${at}/aliases`);
  expect(alias).toEqual({ id: expect.any(Number), url: expect.stringContaining(client.address) });
  expect(await client.list(`${at}/aliases`)).toEqual([alias]);
  const shared = await client.call('POST', `${all}/aliases`);
  const deliver = (url: unknown, body: string, word = 'shared word') =>
    fetch(String(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', word).update(body).digest('hex')}`,
      },
      body,
    });
  const push = JSON.stringify({ ref: 'refs/heads/main', after: 'abc' });
  expect((await deliver(alias['url'], push, 'another word')).status).toBe(401);
  const other = JSON.stringify({ ref: 'refs/heads/other', after: 'abc' });
  expect((await deliver(alias['url'], other)).status).toBe(204);
  expect(await client.list(`${project.at}/tasks`)).toEqual([]);
  for (const { url } of [alias, shared]) {
    const body = JSON.stringify({ ref: 'refs/heads/main', after: 'abc', to: url });
    const answer = await deliver(url, body);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await deliver(url, body)).status).toBe(409);
    const [task] = await client.list(`${project.at}/tasks/last`);
    expect(task).toMatchObject({
      integration_id,
      user_id: null,
      user_name: null,
      launcher: { kind: 'integration', id: integration_id },
    });
    expect(JSON.parse(String(task?.['environment']))).toEqual({ commit: 'abc' });
    const named = ['task', 'template', 'project', 'integration'].map((name) =>
      Number(answer.headers.get(`x-semaphore-${name}-id`)),
    );
    expect(named).toEqual([task?.['id'], task?.['template_id'], project.id, integration_id]);
    const path = `${project.at}/tasks/${Number(task?.['id'])}`;
    expect((await untilStatus(client, path, 'success'))['status']).toBe('success');
  }
  for (const path of [`${all}/aliases/${Number(shared['id'])}`, rulePath, at]) {
    expect([path, (await client.ask('DELETE', path)).status]).toEqual([path, 204]);
  }
  expect((await deliver(alias['url'], push)).status).toBe(404);
});
