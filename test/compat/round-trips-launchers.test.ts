// Schedules and integrations, as a Terraform provider manages them.

import { expect, test } from 'vitest';
import { appWithProject } from '../helpers/app-with-project.ts';
import { open } from '../helpers/later-forms.ts';
import { bearerProgram, expectRoundTrip, type Json } from '../helpers/round-trip.ts';

async function start() {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template(open);
  const program = await bearerProgram(app);
  return { seed, program, template, at: `/project/${seed.projectId}` };
}

const task_params = {
  message: 'By night',
  arguments: '["-v"]',
  git_branch: 'main',
  params: { diff: true, limit: ['web1'], tags: ['a'], skip_tags: [] },
};

test('schedules by cron, on and off', async () => {
  const { program, at, seed, template } = await start();
  for (const active of [true, false]) {
    const send = {
      project_id: seed.projectId,
      template_id: template.id,
      name: 'Nightly',
      type: '',
      cron_format: '0 2 * * *',
      active,
      task_params: { ...task_params, inventory_id: seed.inventoryId },
    };
    await expectRoundTrip(program, {
      at: `${at}/schedules`,
      send,
      change: { cron_format: '0 3 * * *' },
      follows: ['next_due'],
    });
    await expectRoundTrip(program, {
      at: `${at}/schedules`,
      send: { ...send, cron_format: '@every 1h' },
      change: { active: !active },
      follows: ['next_due'],
    });
  }
});

test('schedules for one time, on and off', async () => {
  const { program, at, seed, template } = await start();
  for (const active of [true, false]) {
    const send = {
      project_id: seed.projectId,
      template_id: template.id,
      name: 'Once',
      type: 'run_at',
      run_at: '2127-06-25T02:00:00Z',
      delete_after_run: true,
      active,
    };
    await expectRoundTrip(program, {
      at: `${at}/schedules`,
      send,
      change: { run_at: '2127-06-26T02:00:00Z', delete_after_run: false },
      follows: ['next_due'],
    });
  }
});

test('a schedule that says nothing of `active` is off', async () => {
  const { program, at, template } = await start();
  const send = { template_id: template.id, name: 'Quiet', cron_format: '@daily' };
  expect(await program.call('POST', `${at}/schedules`, send)).toMatchObject({
    active: false,
    next_due: null,
  });
});

test('integrations with matchers, values and addresses', async () => {
  const { program, at, seed, template } = await start();
  const secret = await program.call('POST', `${at}/keys`, {
    project_id: seed.projectId,
    name: 'Secret',
    type: 'login_password',
    login_password: { login: '', password: 'word' },
  });
  const send = {
    project_id: seed.projectId,
    name: 'Push',
    template_id: template.id,
    auth_method: 'token',
    auth_header: 'X-Token',
    auth_secret_id: secret['id'],
    searchable: true,
    task_params,
  };
  await expectRoundTrip(program, {
    at: `${at}/integrations`,
    send,
    change: { auth_method: 'hmac', searchable: false },
  });
  const { id } = await program.call('POST', `${at}/integrations`, send);
  const inside = `${at}/integrations/${Number(id)}`;
  await expectRoundTrip(program, {
    at: `${inside}/matchers`,
    send: {
      integration_id: id,
      name: 'Main',
      match_type: 'body',
      method: 'equals',
      body_data_type: 'json',
      key: 'ref',
      value: 'refs/heads/main',
    },
    change: { method: 'contains', value: 'main' },
  });
  await expectRoundTrip(program, {
    at: `${inside}/values`,
    send: {
      integration_id: id,
      name: 'Commit',
      value_source: 'body',
      body_data_type: 'json',
      key: 'after',
      variable: 'commit',
    },
    change: { variable: 'revision' },
  });
  for (const owner of [inside, `${at}/integrations`]) {
    const alias = await program.call('POST', `${owner}/aliases`);
    const listed = (): Promise<Json> => program.call('GET', `${owner}/aliases`);
    expect(await listed()).toEqual([alias]);
    await program.call('DELETE', `${owner}/aliases/${Number(alias['id'])}`);
    expect(await listed()).toEqual([]);
  }
});
