// Launching tasks and following them, by polling and by the websocket.

import { expect, test } from 'vitest';
import { connect } from '../helpers/live.ts';
import {
  oldClient,
  oldProject,
  oldTemplate,
  untilStatus,
  type Json,
  type OldClient,
  type OldProject,
} from '../helpers/old-client.ts';
import { until } from '../helpers/until.ts';

const playbook = { 'play.yml': 'echo hello from the playbook\n', 'slow.yml': 'sleep 600\n' };

async function withTemplate(fields: Json = {}) {
  const client = await oldClient();
  const project = await oldProject(client, playbook);
  const form = oldTemplate(project, fields);
  const { id } = await client.call('POST', `${project.at}/templates`, form);
  return { client, project, template: Number(id) };
}

/** What the dialog of a new task sends. */
function start(client: OldClient, project: OldProject, template: number, fields: Json = {}) {
  return client.ask('POST', `${project.at}/tasks`, {
    template_id: template,
    project_id: project.id,
    message: null,
    environment: '{}',
    secret: '{}',
    debug: null,
    dry_run: false,
    params: {},
    ...fields,
  });
}

test('a task is started, polled to its success, and its output read', async () => {
  const { client, project, template } = await withTemplate();
  const made = await start(client, project, template, { message: 'Now' });
  expect([made.status, made.json['status']]).toEqual([201, 'waiting']);
  const path = `${project.at}/tasks/${Number(made.json['id'])}`;
  const task = await untilStatus(client, path, 'success');
  const when = expect.stringMatching(/^\d{4}-.*Z$/);
  const shown = {
    id: made.json['id'],
    template_id: template,
    project_id: project.id,
    debug: false,
    dry_run: false,
    diff: false,
    playbook: '',
    environment: '{}',
    secret: '',
    limit: '',
    arguments: null,
    git_branch: null,
    user_id: expect.any(Number),
    integration_id: null,
    schedule_id: null,
    created: when,
    start: when,
    end: when,
    message: 'Now',
    commit_hash: expect.stringMatching(/^[\da-f]{40}$/),
    commit_message: 'First commit',
    build_task_id: null,
    version: null,
    inventory_id: project.inventory,
    tpl_playbook: 'play.yml',
    tpl_alias: 'Run',
    tpl_type: '',
    tpl_app: 'ansible',
    user_name: 'root',
    build_task: null,
  };
  expect(task).toMatchObject(shown);
  for (const list of [
    `${project.at}/tasks`,
    `${project.at}/tasks/last`,
    `${project.at}/templates/${template}/tasks`,
    `${project.at}/templates/${template}/tasks/last?limit=5`,
  ]) {
    expect([list, await client.list(list)]).toMatchObject([list, [shown]]);
  }
  const output = await client.list(`${path}/output`);
  expect(output.map(({ id }) => id)).toEqual(output.map((_line, index) => index + 1));
  expect(output).toContainEqual({
    id: expect.any(Number),
    task_id: made.json['id'],
    task: '',
    time: when,
    output: 'hello from the playbook',
  });
  const { last_task: last } = await client.call('GET', `${project.at}/templates/${template}`);
  expect(last).toMatchObject({ id: made.json['id'], status: 'success' });
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect((await client.ask('GET', path)).status).toBe(404);
});

test('a task is run again by sending it as it was read, and nothing of its end is taken', async () => {
  const { client, project, template } = await withTemplate();
  const made = await start(client, project, template);
  const path = `${project.at}/tasks/${Number(made.json['id'])}`;
  const old = await untilStatus(client, path, 'success');
  const forged = { ...old, version: '9', user_id: 999, integration_id: 7, schedule_id: 8 };
  const again = await client.ask('POST', `${project.at}/tasks`, forged);
  expect(again.status).toBe(201);
  expect(again.json['id']).not.toBe(old['id']);
  expect(again.json).toMatchObject({
    status: 'waiting',
    start: null,
    end: null,
    version: null,
    user_id: old['user_id'],
    integration_id: null,
    schedule_id: null,
  });
  const wider: Json[] = [
    { limit: 'all' },
    { git_branch: 'other' },
    { playbook: 'slow.yml' },
    { arguments: '["--become"]' },
    { environment: '{"ansible_user":"root"}' },
  ];
  for (const fields of wider) {
    const answer = await client.ask('POST', `${project.at}/tasks`, { ...old, ...fields });
    expect([fields, answer.status]).toEqual([fields, 422]);
  }
});

test('answers come as texts, numbers too; what is wrong is said in the words of the form', async () => {
  const variable = { description: '', required: true };
  const { client, project, template } = await withTemplate({
    survey_vars: [
      { ...variable, name: 'count', title: 'Count', type: 'int' },
      { ...variable, name: 'word', title: 'Word', type: '' },
      { ...variable, name: 'hidden', title: 'Hidden', type: 'secret' },
      { ...variable, name: 'free', title: 'Free', type: '', required: false },
    ],
  });
  const answers = { count: '3', word: 'yes', free: '' };
  const send = (environment: Json, secret: Json) =>
    start(client, project, template, {
      environment: JSON.stringify(environment),
      secret: JSON.stringify(secret),
    });
  const missing = await send({ count: 'three' }, {});
  expect([missing.status, missing.json['fields']]).toMatchObject([
    400,
    [
      { path: 'environment.count', message: 'Count must be integer' },
      { path: 'environment.word', message: 'Word is required' },
      { path: 'secret.hidden', message: 'Hidden is required' },
    ],
  ]);
  const made = await send(answers, { hidden: 'not to be seen' });
  expect(made.status).toBe(201);
  const path = `${project.at}/tasks/${Number(made.json['id'])}`;
  const task = await untilStatus(client, path, 'success');
  expect(JSON.parse(String(task['environment']))).toEqual({ count: 3, word: 'yes' });
  expect(JSON.stringify(task)).not.toContain('not to be seen');
});

test('a build counts its version, and a deploy takes a build', async () => {
  const { client, project, template } = await withTemplate({ type: 'build', start_version: '1.9' });
  const form = { name: 'Deploy', type: 'deploy', build_template_id: template };
  const deploy = await client.call(
    'POST',
    `${project.at}/templates`,
    oldTemplate(project, { ...form, autorun: false }),
  );
  const built = await start(client, project, template);
  const build = await untilStatus(
    client,
    `${project.at}/tasks/${Number(built.json['id'])}`,
    'success',
  );
  expect(build['version']).toBe('1.9');
  const without = await start(client, project, Number(deploy['id']));
  expect(without.json['fields']).toMatchObject([{ message: 'Build version is required' }]);
  const made = await start(client, project, Number(deploy['id']), { build_task_id: build['id'] });
  expect(made.status).toBe(201);
  expect(made.json['build_task']).toMatchObject({ id: build['id'], version: '1.9' });
  const builds = `${project.at}/templates/${template}/tasks?status=success`;
  expect(await client.list(builds)).toMatchObject([{ id: build['id'] }]);
});

test('a task is stopped, and confirmed when it waits for that', async () => {
  const { client, project, template } = await withTemplate({ playbook: 'slow.yml' });
  const made = await start(client, project, template);
  const path = `${project.at}/tasks/${Number(made.json['id'])}`;
  await untilStatus(client, path, 'running');
  expect((await client.ask('POST', `${path}/confirm`)).status).toBe(409);
  expect((await client.ask('POST', `${path}/stop`, { force: false })).status).toBe(204);
  await untilStatus(client, path, 'stopped');
  const asking = oldTemplate(project, { name: 'Asks', requires_confirmation: true });
  const { id } = await client.call('POST', `${project.at}/templates`, asking);
  const waits = await start(client, project, Number(id));
  const other = `${project.at}/tasks/${Number(waits.json['id'])}`;
  await untilStatus(client, other, 'waiting_confirmation');
  expect((await client.ask('POST', `${other}/confirm`, {})).status).toBe(204);
  expect((await untilStatus(client, other, 'success'))['status']).toBe('success');
});

test('a client of the websocket that says nothing gets updates and lines as there were', async () => {
  const { client, project, template } = await withTemplate();
  const live = await connect(client.address, { cookie: client.cookie() });
  const made = await start(client, project, template);
  const isOver = () =>
    live.messages.some((one) => one.type === 'update' && one.status === 'success');
  await until(isOver);
  const keys = (type: string) => [
    ...new Set(
      live.messages
        .filter((message) => message.type === type)
        .map((message) => Object.keys(message).sort().join(' ')),
    ),
  ];
  expect([...new Set(live.messages.map(({ type }) => type))].sort()).toEqual(['log', 'update']);
  expect(keys('update')).toEqual([expect.stringContaining('start status task_id template_id')]);
  const update = live.messages.find(({ type }) => type === 'update');
  expect(Object.keys(update ?? {})).toEqual(
    expect.arrayContaining(['end', 'project_id', 'user_name', 'message', 'version', 'created']),
  );
  expect(keys('log')).toEqual(['output project_id task_id template_id time type']);
  const lines = live.messages.flatMap((one) => (one.type === 'log' ? [one] : []));
  expect(lines.map(({ output }) => output)).toContain('hello from the playbook');
  expect(new Set(lines.map((line) => line.task_id))).toEqual(new Set([made.json['id']]));
});
