// Values that clients of other versions send, and that mean the same as others here.

import { expect, test } from 'vitest';
import { appWithProject } from '../helpers/app-with-project.ts';
import { bearerProgram, expectRoundTrip, type Json } from '../helpers/round-trip.ts';

async function start() {
  const { app, seed } = await appWithProject(null);
  const program = await bearerProgram(app);
  return { seed, program, at: `/project/${seed.projectId}` };
}

test('an integration whose sender is not checked', async () => {
  const { program, at } = await start();
  const send = { name: 'Push', auth_method: 'none', searchable: false };
  const made = await program.call('POST', `${at}/integrations`, send);
  expect(made['auth_method']).toBe('none');
  const path = `${at}/integrations/${Number(made['id'])}`;
  await program.call('PUT', path, { ...made, auth_method: 'none', searchable: true });
  expect(await program.call('GET', path)).toMatchObject({ auth_method: 'none', searchable: true });
});

test('a survey variable of the type `string`', async () => {
  const { program, at, seed } = await start();
  const survey_vars = [{ name: 'word', title: 'Word', type: 'string', required: true }];
  const { id } = await seed.template();
  const read = await program.call('GET', `${at}/templates/${id}`);
  await program.call('PUT', `${at}/templates/${id}`, { ...read, survey_vars });
  expect(await program.call('GET', `${at}/templates/${id}`)).toMatchObject({
    survey_vars: [{ name: 'word', type: 'string' }],
  });
});

test('a stop of a task that has ended', async () => {
  const { program, at, seed } = await start();
  const { id } = await seed.template();
  const task = await program.call('POST', `${at}/tasks`, { template_id: id });
  const stop = `${at}/tasks/${Number(task['id'])}/stop`;
  for (const body of [{}, {}, { force: true }]) {
    expect((await program.ask('POST', stop, body)).status).toBe(204);
  }
});

test('inventories without a key, of every type', async () => {
  const { program, at, seed } = await start();
  const texts = {
    static: 'one ansible_connection=local',
    'static-yaml': 'all: { hosts: { one: {} } }',
    file: 'hosts/all.sh',
    'terraform-workspace': 'blue',
    'tofu-workspace': 'green',
  };
  for (const [type, inventory] of Object.entries(texts)) {
    const send: Json = { project_id: seed.projectId, name: type, type, inventory };
    await expectRoundTrip(program, { at: `${at}/inventory`, send, change: { name: 'Other' } });
    const withNull = { ...send, ssh_key_id: null, become_key_id: null };
    await expectRoundTrip(program, {
      at: `${at}/inventory`,
      send: withNull,
      change: { name: 'Other' },
    });
  }
});

test('a new secret of a group of variables, with the id 0', async () => {
  const { program, at, seed } = await start();
  const secrets = [{ id: 0, type: 'var', name: 'token', secret: 'x', operation: 'create' }];
  await expectRoundTrip(program, {
    at: `${at}/environment`,
    send: { project_id: seed.projectId, name: 'With secrets', json: '{"a": 1}', secrets },
    writeOnly: ['secrets.*.id', 'secrets.*.secret', 'secrets.*.operation'],
    change: { json: '{"a": 2}' },
  });
});
