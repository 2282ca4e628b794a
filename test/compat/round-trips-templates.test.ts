// Templates of each type, views, and what launches templates, as a Terraform provider manages them.

import { expect, test } from 'vitest';
import { appWithProject } from '../helpers/app-with-project.ts';
import { bearerProgram, expectRoundTrip, type Json } from '../helpers/round-trip.ts';

async function start() {
  const { app, seed } = await appWithProject(null);
  const program = await bearerProgram(app);
  const at = `/project/${seed.projectId}`;
  const ansible = (fields: Json): Json => ({
    project_id: seed.projectId,
    name: 'Site',
    description: 'All of it',
    app: 'ansible',
    type: '',
    playbook: 'site.yml',
    inventory_id: seed.inventoryId,
    repository_id: seed.repositoryId,
    environment_id: seed.environmentId,
    view_id: null,
    git_branch: 'main',
    arguments: '["--forks","5"]',
    allow_override_args_in_task: true,
    suppress_success_alerts: true,
    survey_vars: [],
    vaults: [],
    ...fields,
  });
  return { app, seed, program, at, ansible };
}

const survey: Json[] = [
  { name: 'word', title: 'A word', description: 'Any', type: '', required: false },
  { name: 'count', title: 'Count', type: 'int', required: true, default_value: '3' },
  { name: 'pass', title: 'Password', type: 'secret', required: false },
  {
    name: 'where',
    title: 'Where',
    type: 'enum',
    required: true,
    values: [
      { name: 'North', value: 'n' },
      { name: 'South', value: 's' },
    ],
  },
];

test('a template with a survey, vaults and params', async () => {
  const { program, at, seed, ansible } = await start();
  const vaults = [
    { vault_key_id: seed.keyId, name: null },
    { vault_key_id: seed.keyId, name: 'prod' },
  ];
  const task_params = {
    limit: ['web1', 'web2'],
    tags: ['pkg'],
    skip_tags: ['slow'],
    allow_override_limit: true,
    allow_override_tags: false,
    allow_override_skip_tags: true,
    allow_override_inventory: true,
    allow_debug: false,
  };
  const send = ansible({ survey_vars: survey, vaults, task_params });
  await expectRoundTrip(program, {
    at: `${at}/templates`,
    send,
    change: { description: 'Half of it', survey_vars: survey.slice(0, 1), vaults: [] },
    follows: ['vault_key_id'],
  });
  await expectRoundTrip(program, {
    at: `${at}/templates`,
    send,
    change: { task_params: { ...task_params, limit: ['web3'], allow_override_limit: false } },
    follows: ['limit', 'allow_override_limit_in_task'],
  });
});

test('a template with several groups of variables, and a vault of a script', async () => {
  const { program, at, seed, ansible } = await start();
  const add = async (name: string): Promise<number> => {
    await program.call('POST', `${at}/environment`, {
      project_id: seed.projectId,
      name,
      json: '{}',
    });
    const list = (await program.call('GET', `${at}/environment`)) as unknown as Json[];
    return Number(list.find((one) => one['name'] === name)?.['id']);
  };
  const [second, third] = [await add('Second'), await add('Third')];
  const { environment_id: first, ...others } = ansible({});
  const vaults = [
    { type: 'password', vault_key_id: seed.keyId, name: 'prod' },
    { type: 'script', script: 'vault/password.sh', name: null },
  ];
  const send = { ...others, vaults, environment_ids: [second, first] };
  const read = await expectRoundTrip(program, {
    at: `${at}/templates`,
    send,
    change: { environment_ids: [third, second, first] },
    follows: ['environment_id'],
  });
  expect(read['environment_id']).toBe(second);
  await expectRoundTrip(program, {
    at: `${at}/templates`,
    send: { ...send, environment_id: second },
    change: { environment_id: third },
    follows: ['environment_ids'],
  });
});

test('a build, and a deploy of it', async () => {
  const { program, at, ansible } = await start();
  const build = ansible({ name: 'Build', type: 'build', start_version: '1.0.0' });
  await expectRoundTrip(program, {
    at: `${at}/templates`,
    send: build,
    change: { start_version: '2.0.0' },
  });
  const { id } = await program.call('POST', `${at}/templates`, build);
  await expectRoundTrip(program, {
    at: `${at}/templates`,
    send: ansible({ name: 'Deploy', type: 'deploy', build_template_id: id, autorun: true }),
    change: { autorun: false },
  });
});

test('templates of Terraform, shell and Python', async () => {
  const { program, at, seed } = await start();
  const fields = { project_id: seed.projectId, repository_id: seed.repositoryId, type: '' };
  const workspace = await program.call('POST', `${at}/inventory`, {
    project_id: seed.projectId,
    name: 'Workspace',
    type: 'terraform-workspace',
    inventory: 'staging',
  });
  for (const app of ['terraform', 'tofu']) {
    await expectRoundTrip(program, {
      at: `${at}/templates`,
      send: {
        ...fields,
        name: app,
        app,
        playbook: 'stacks/net',
        inventory_id: workspace['id'],
        environment_id: seed.environmentId,
        task_params: { auto_approve: true, allow_auto_approve: true },
      },
      change: { playbook: 'stacks/dns' },
    });
  }
  for (const app of ['bash', 'python']) {
    await expectRoundTrip(program, {
      at: `${at}/templates`,
      send: { ...fields, name: app, app, playbook: 'run', environment_id: seed.environmentId },
      change: { name: `${app} again` },
    });
  }
});

test('views with their positions', async () => {
  const { program, at, seed } = await start();
  const send = { project_id: seed.projectId, title: 'Web', position: 7 };
  await expectRoundTrip(program, {
    at: `${at}/views`,
    send,
    change: { title: 'Net', position: 3 },
  });
  const list: Json[] = [];
  for (const [title, position] of Object.entries({ last: 9, first: 1, middle: 5 })) {
    list.push(await program.call('POST', `${at}/views`, { title, position }));
  }
  expect(list.map(({ position }) => position)).toEqual([9, 1, 5]);
  const shown = (await program.call('GET', `${at}/views`)) as unknown as Json[];
  expect(shown.map(({ title }) => title)).toEqual(['first', 'middle', 'last']);
  expect(await program.call('POST', `${at}/views`, { title: 'behind' })).toMatchObject({
    position: 10,
  });
});
