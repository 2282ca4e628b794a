// A backup of a later version of the older API, with every field of that version: each field is
// restored or noted.

import { expect, test } from 'vitest';
import { backups } from '#shared/api/backups.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../../../test/helpers/app.ts';

type Json = Record<string, unknown>;

const template = {
  name: 'Patch',
  playbook: 'patch.yml',
  arguments: '["--forks","5"]',
  allow_override_args_in_task: true,
  description: 'All hosts but two',
  type: '',
  autorun: false,
  git_branch: 'abc1234',
  survey_vars: [
    { name: 'word', title: 'Word', type: 'string', required: false, description: '' },
    {
      name: 'where',
      title: 'Where',
      type: 'select',
      required: true,
      values: [
        { name: 'N', value: 'n' },
        { name: 'S', value: 's' },
      ],
      default_value: ['n'],
    },
    { name: 'some', title: 'Some', type: '', default_value: ['a', 'b'], colour: 'red' },
  ],
  suppress_success_alerts: true,
  app: 'ansible',
  repository: 'Code',
  inventory: 'Hosts',
  environment: 'Variables',
  view: 'All',
  vaults: [
    { name: 'prod', vault_key: 'Login', type: 'password' },
    { name: 'dev', type: 'script', script: 'pass.sh' },
  ],
  task_params: {
    limit: ['web1'],
    tags: ['pkg'],
    skip_tags: ['slow'],
    allow_override_limit: true,
    allow_override_tags: false,
    allow_debug: false,
    allow_rocket: true,
  },
  runner_tag: 'dmz',
  allow_override_branch_in_task: false,
  allow_parallel_tasks: true,
};

const document = {
  meta: {
    name: 'Later',
    alert: true,
    alert_chat: '-100',
    max_parallel_tasks: 3,
    type: '',
    default_secret_storage: 'Safe',
  },
  keys: [
    { name: 'None', type: 'none' },
    { name: 'Login', type: 'login_password', storage: 'Safe' },
    { name: 'Text', type: 'string' },
  ],
  environments: [
    { name: 'Variables', json: '{"a": 1}', env: '{"B": "c"}', password: 'canary', secrets: [] },
  ],
  repositories: [
    { name: 'Code', git_url: 'https://example.com/x.git', git_branch: 'main', ssh_key: 'None' },
  ],
  inventories: [
    { name: 'Hosts', inventory: 'one', type: 'static', ssh_key: 'None', become_key: 'Login' },
    { name: 'Files', inventory: '', type: 'file', ssh_key: 'None', repository: 'Code' },
  ],
  views: [{ title: 'All', position: 4, hidden: true, type: 'custom' }],
  templates: [template],
  schedules: [
    {
      name: 'Nightly',
      template: 'Patch',
      cron_format: '0 2 * * *',
      active: true,
      checkable_repository: 'Code',
      task_params: { message: 'By night', inventory: 'Hosts', params: { limit: ['web1'], odd: 1 } },
    },
    {
      name: 'Past',
      template: 'Patch',
      type: 'run_at',
      run_at: '2020-01-01T00:00:00Z',
      delete_after_run: true,
      active: true,
    },
  ],
  integrations: [
    {
      name: 'Push',
      auth_method: 'none',
      auth_header: '',
      searchable: true,
      template: 'Patch',
      task_params: { params: { tags: ['pkg'], dry_run: true } },
      aliases: [],
      matchers: [
        {
          name: 'Ref',
          match_type: 'body',
          method: 'equals',
          body_data_type: 'json',
          key: 'ref',
          value: 'main',
        },
      ],
      extract_values: [],
    },
  ],
  integration_aliases: [],
  roles: [{ slug: 'deployer', permissions: 1 }],
  secret_storages: [],
  project_id: 7,
};

async function restore(body: Json) {
  const app = await testApp();
  const made = await app.admin.call(backups.restore, { body });
  const params = { project_id: made.id };
  const restored = await app.admin.call(backups.read, { params });
  return { app, made, params, restored };
}

test('what has no counterpart is in the notes, each field with its place', async () => {
  const { made, restored } = await restore(document);
  const notes = made.notes.map(({ path, code }) => `${path}: ${code.replace('restored.', '')}`);
  const unknown = [
    'roles',
    'meta.default_secret_storage',
    'keys.1.storage',
    'environments.0.password',
    'views.0.hidden',
    'views.0.type',
    'templates.0.task_params.allow_rocket',
    'templates.0.survey_vars.2.default_value',
    'templates.0.survey_vars.2.colour',
    'schedules.0.task_params.params.odd',
  ];
  expect(notes.toSorted()).toEqual(
    [
      ...unknown.map((path) => `${path}: field_unknown`),
      'keys.2: key_text',
      'inventories.1.inventory: file_path',
      'templates.0.git_branch: commit_short',
      'templates.0.survey_vars.1: survey_select',
      'templates: opened',
      'schedules.1: time_passed',
    ].toSorted(),
  );
  expect(JSON.stringify([made, restored])).not.toContain('canary');
});

test('what has one is taken', async () => {
  const { restored } = await restore(document);
  expect(restored.keys).toEqual([
    { name: 'Login', type: 'login_password' },
    { name: 'None', type: 'none' },
    { name: 'Text', type: 'login_password' },
  ]);
  expect(restored.views).toEqual([{ title: 'All', position: 4 }]);
  expect(restored.inventories).toMatchObject([
    { name: 'Files', type: 'file', inventory: '.', repository: 'Code' },
    { name: 'Hosts', become_key: 'Login' },
  ]);
  const { task_params, survey_vars, runner_tag, ...plain } = template;
  expect(restored.templates).toMatchObject([
    {
      ...plain,
      limit: 'web1',
      tags: 'pkg',
      skip_tags: 'slow',
      runner_tags: [runner_tag],
      allow_any_variable_in_task: true,
      allow_override_limit_in_task: task_params.allow_override_limit,
      allow_override_tags_in_task: false,
      allow_override_inventory_in_task: false,
      allow_debug_in_task: false,
      survey_vars: [
        { name: 'word', type: 'string' },
        { ...survey_vars[1], type: 'enum', default_value: 'n' },
        { name: 'some', default_value: '' },
      ],
    },
  ]);
  expect(restored.schedules).toMatchObject([
    {
      name: 'Nightly',
      active: true,
      repository: 'Code',
      task_params: { message: 'By night', inventory: 'Hosts', limit: 'web1' },
    },
    { name: 'Past', type: 'run_at', run_at: '2020-01-01T00:00:00Z', active: false },
  ]);
  expect(restored.integrations).toMatchObject([
    {
      auth_method: 'none',
      task_params: { tags: 'pkg', dry_run: true },
      matchers: [{ key: 'ref' }],
    },
  ]);
});

test('templates of before there were switches open what launches could set there, and no more', async () => {
  const { task_params: _params, allow_override_branch_in_task: _branch, ...older } = template;
  const { app, params } = await restore({ ...document, schedules: [], templates: [older] });
  const [made] = await app.admin.call(templates.list, { params });
  expect(made).toMatchObject({
    allow_any_variable_in_task: true,
    allow_override_branch_in_task: true,
    allow_override_limit_in_task: true,
    allow_override_inventory_in_task: true,
    allow_override_tags_in_task: false,
    allow_override_args_in_task: true,
  });
  const environment = '{"where": "n", "anything": {"deep": [1]}}';
  const body = { template_id: made?.id ?? 0, git_branch: 'other', limit: 'one', environment };
  const task = await app.admin.call(tasks.start, { params, body });
  expect(JSON.parse(task.environment)).toEqual({ where: 'n', anything: { deep: [1] } });
  const tags = await app.admin.ask(tasks.start, { params, body: { ...body, tags: 'a' } });
  expect(tags.body.code).toBe('task.field_not_allowed');
});
