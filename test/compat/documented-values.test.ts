// Values that the description of the API documents: they are taken, and read back as they were sent.

import { describe, expect, test } from 'vitest';
import { password } from '../helpers/app.ts';
import { appWithProject } from '../helpers/app-with-project.ts';
import { bearerProgram, expectRoundTrip, type Json } from '../helpers/round-trip.ts';

async function start() {
  const { app, seed } = await appWithProject(null);
  const program = await bearerProgram(app);
  const at = `/project/${seed.projectId}`;
  const { id } = await seed.template();
  const path = `${at}/templates/${id}`;
  const template = await program.call('GET', path);
  return { app, seed, program, at, id, path, template };
}

describe('a template', () => {
  test('has survey variables of documented types and targets', async () => {
    const { program, at, template } = await start();
    const variable = { title: 'T', description: '', required: false, values: null };
    const survey_vars = [
      { ...variable, name: 'a', type: 'integer', default_value: '7' },
      { ...variable, name: 'b', type: 'string', default_value: '' },
      { ...variable, name: 'c', type: 'secret', default_value: '', target: 'env' },
      { ...variable, name: 'd', type: '', default_value: '', target: '' },
    ];
    const { id: _id, last_task: _task, vaults: _vaults, tasks: _tasks, ...rest } = template;
    const send = { ...rest, name: 'Asks', survey_vars };
    await expectRoundTrip(program, {
      at: `${at}/templates`,
      send,
      change: { survey_vars: survey_vars.slice(1) },
    });
  });

  test.each([
    [{ target: 'file' }, 'survey_vars.0.target', 'field.option'],
    [{ target: 'env', name: 'LD_PRELOAD' }, 'survey_vars.0.name', 'survey.environment_name'],
    [{ target: 'env', name: 'path' }, 'survey_vars.0.name', 'survey.environment_name'],
    [{ target: 'env', name: 'A-B' }, 'survey_vars.0.name', 'survey.environment_name'],
    [{ target: 'env', name: 'ANSIBLE_LIBRARY' }, 'survey_vars.0.name', 'survey.environment_name'],
  ])('refuses the survey variable %j', async (fields, where, code) => {
    const { program, path, template } = await start();
    const survey_vars = [{ name: 'a', title: 'T', type: '', required: false, ...fields }];
    const { status, json } = await program.ask('PUT', path, { ...template, survey_vars });
    expect([status, json['fields']]).toMatchObject([400, [{ path: where, code }]]);
  });

  test('needs no environment, and keeps the one that a change does not name', async () => {
    const { program, at, path, template } = await start();
    const { id: _id, environment_id, environment_ids: _ids, ...rest } = template;
    const made = await program.call('POST', `${at}/templates`, { ...rest, name: 'Without' });
    expect([made['environment_id'], made['environment_ids']]).toEqual([null, []]);
    await program.call('PUT', path, rest);
    expect(await program.call('GET', path)).toMatchObject({ environment_id });
    await program.call('PUT', path, { ...rest, environment_id: null });
    expect(await program.call('GET', path)).toMatchObject({ environment_id: null });
  });

  test('of a build needs no first version, and of a deploy no build until it is launched', async () => {
    const { program, at, template } = await start();
    const { id: _id, ...rest } = template;
    const create = (fields: Json) =>
      program.call('POST', `${at}/templates`, { ...rest, ...fields });
    const build = await create({ name: 'Build', type: 'build' });
    expect(build).toMatchObject({ type: 'build', start_version: null });
    const launched = await program.call('POST', `${at}/tasks`, { template_id: build['id'] });
    expect(launched['version']).toBeNull();
    const deploy = await create({ name: 'Deploy', type: 'deploy' });
    expect(deploy).toMatchObject({ type: 'deploy', build_template_id: null });
    const refused = await program.ask('POST', `${at}/tasks`, { template_id: deploy['id'] });
    expect([refused.status, refused.json['fields']]).toMatchObject([
      400,
      [{ path: 'build_template_id', code: 'template.build_template_required' }],
    ]);
  });

  test('keeps tags in lines as they are, and runs with commas', async () => {
    const { app, program, at, path, template } = await start();
    const tags = 'one,\r\ntwo\n\nthree';
    await program.call('PUT', path, { ...template, tags, skip_tags: 'four\n', task_params: null });
    const read = await program.call('GET', path);
    expect([read['tags'], read['skip_tags']]).toEqual([tags, 'four']);
    const { id } = await program.call('POST', `${at}/tasks`, { template_id: read['id'] });
    const { snapshot } = await app.ctx.db
      .selectFrom('tasks')
      .select('snapshot')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();
    expect(JSON.parse(snapshot)).toMatchObject({ tags: 'one,two,three', skipTags: 'four' });
  });

  test('takes options of later versions that are off, and skips requirements', async () => {
    const { program, path, template } = await start();
    const off = {
      skip_galaxy_install: false,
      allow_override_skip_galaxy_install: null,
      allow_destroy: false,
      override_backend: false,
      backend_filename: '',
    };
    await program.call('PUT', path, { ...template, task_params: off });
    expect(await program.call('GET', path)).toMatchObject({ install_requirements: 'when_changed' });
    const { install_requirements: _when, ...rest } = template;
    const skips = { ...rest, task_params: { skip_galaxy_install: true } };
    for (const _ of [1, 2]) await program.call('PUT', path, skips);
    expect(await program.call('GET', path)).toMatchObject({
      install_requirements: 'never',
      task_params: { skip_galaxy_install: true },
    });
    for (const name of [
      'allow_override_skip_galaxy_install',
      'allow_destroy',
      'override_backend',
    ]) {
      const { status } = await program.ask('PUT', path, { ...rest, task_params: { [name]: true } });
      expect([name, status]).toEqual([name, 400]);
    }
  });
});

test('the answers of a launch are read back as they were sent', async () => {
  const { program, at, path, template } = await start();
  const variable = { name: 'n', title: 'N', type: 'int', required: false, default_value: '' };
  await program.call('PUT', path, { ...template, survey_vars: [variable] });
  for (const [environment, read] of [
    ['{ "n" : 7 }', '{ "n" : 7 }'],
    // The run gets a number, and people read what it gets.
    ['{"n": "7"}', '{"n":7}'],
  ]) {
    const task = await program.call('POST', `${at}/tasks`, {
      template_id: template['id'],
      environment,
    });
    expect(task['environment']).toBe(read);
  }
});

test('what is switched with an empty body is switched off', async () => {
  const { program, at, id } = await start();
  const body = { template_id: id, cron_format: '@daily', name: 'Nightly', active: true };
  const schedule = await program.call('POST', `${at}/schedules`, body);
  await program.call('PUT', `${at}/schedules/${Number(schedule['id'])}/active`, {});
  const read = await program.call('GET', `${at}/schedules/${Number(schedule['id'])}`);
  expect(read['active']).toBe(false);
  await program.call('POST', '/apps/bash/active', {});
  expect(await program.call('GET', '/apps/bash')).toMatchObject({ active: false });
});

test('a cron text is validated whatever else a form sends with it', async () => {
  const { program, at } = await start();
  const body = { cron_format: '0 3 * * *', name: 'Nightly', project_id: 1, template_id: 1 };
  const answer = await program.call('POST', `${at}/schedules/validate`, body);
  expect(answer['next']).toHaveLength(5);
});

test('a token expires at a time that is read back under both names', async () => {
  const { app } = await start();
  const create = (payload: object) =>
    app.admin.raw({ method: 'POST', url: '/api/user/tokens', payload });
  const time = '2999-01-01T00:00:00Z';
  const made = JSON.parse((await create({ name: 'ci', expires_at: time })).body) as Json;
  expect(made).toMatchObject({ expires: time, expires_at: time });
  const offset = await create({ expires_at: '2999-01-01T02:00:00+02:00' });
  expect(JSON.parse(offset.body)).toMatchObject({ expires_at: '2999-01-01T00:00:00.000Z' });
  const both = await create({ expires: time, expires_at: '2998-01-01T00:00:00Z' });
  expect([both.statusCode, both.body]).toEqual([400, expect.stringContaining('contradiction')]);
  const past = await create({ expires_at: '2001-01-01T00:00:00Z' });
  expect(past.statusCode).toBe(400);
});

test('a password that is named `current_password` is checked', async () => {
  const { app } = await start();
  const ada = await app.user('ada');
  const url = `/api/users/${ada.userId}/password`;
  const change = (current_password: string) =>
    ada.raw({ method: 'POST', url, payload: { password: `${password} new`, current_password } });
  expect((await change('a wrong one')).statusCode).toBe(400);
  expect((await change(password)).statusCode).toBe(204);
});

test('a project whose chat is empty is read back so', async () => {
  const { program } = await start();
  const made = await program.call('POST', '/projects', { name: 'Chat', alert_chat: '' });
  expect(made['alert_chat']).toBe('');
  await program.call('PUT', `/project/${Number(made['id'])}`, { ...made, alert_chat: null });
  const read = await program.call('GET', `/project/${Number(made['id'])}`);
  expect(read['alert_chat']).toBeNull();
});

test('lists of tasks have a length by `count`, and say whether there are more', async () => {
  const { app, program, at, id } = await start();
  for (const _ of [1, 2, 3]) await program.call('POST', `${at}/tasks`, { template_id: id });
  const read = (query: string) => app.admin.raw({ method: 'GET', url: `/api${at}/tasks${query}` });
  for (const [query, length, more] of [
    ['?count=2', 2, 'true'],
    ['?count=3', 3, 'false'],
    ['?count=2&limit=1', 1, 'true'],
    ['', 3, 'false'],
  ] as const) {
    const answer = await read(query);
    const [first] = JSON.parse(answer.body) as Json[];
    expect([query, (JSON.parse(answer.body) as Json[]).length]).toEqual([query, length]);
    expect([query, answer.headers['x-has-next']]).toEqual([query, more]);
    expect(first).toMatchObject({ used_runner_id: null });
  }
});
