// The fields of a template and what is wrong with them.

import { expect, test } from 'vitest';
import { startTemplates } from '../../../../test/helpers/template-calls.ts';

test('a template is refused in the words of the fields that are wrong', async () => {
  const { create } = await startTemplates();
  const variable = { name: 'a', title: 'A' };
  const cases: [fields: object, path: string, code: string, message: string][] = [
    [{ playbook: '' }, 'playbook', 'template.playbook_required', 'Playbook filename is required'],
    [
      { inventory_id: undefined },
      'inventory_id',
      'template.inventory_required',
      'Choose an inventory, or send null for none',
    ],
    [
      { repository_id: undefined },
      'repository_id',
      'template.repository_required',
      'Repository is required',
    ],
    [{ inventory_id: '1' }, 'inventory_id', 'field.type', 'Wrong type: number is expected'],
    ...['../site.yml', 'a/../../b.yml', '/etc/site.yml', 'a\\..\\b.yml', '..'].map(
      (playbook): [object, string, string, string] => [
        { playbook },
        'playbook',
        'field.path',
        'Enter a path inside the repository, without ".."',
      ],
    ),
    ...['../sites', 'a/../../b', '/etc', 'a\\..\\b', '..'].map(
      (path): [object, string, string, string] => [
        { working_directory: path },
        'working_directory',
        'field.path',
        'Enter a path inside the repository, without ".."',
      ],
    ),
    [
      { working_directory: '-C' },
      'working_directory',
      'field.leading_dash',
      'This must not begin with a dash',
    ],
    ...['terraform', 'tofu'].map((app): [object, string, string, string] => [
      { app, working_directory: 'infra' },
      'working_directory',
      'template.working_directory_terraform',
      'Terraform starts in the folder of its configuration. Leave this empty',
    ]),
    [
      { playbook: '--syntax-check' },
      'playbook',
      'field.leading_dash',
      'This must not begin with a dash',
    ],
    [{ limit: '-i,' }, 'limit', 'field.leading_dash', 'This must not begin with a dash'],
    [{ tags: '--list-hosts' }, 'tags', 'field.leading_dash', 'This must not begin with a dash'],
    [{ git_branch: '-x' }, 'git_branch', 'field.leading_dash', 'This must not begin with a dash'],
    [
      { arguments: '--forks 5' },
      'arguments',
      'field.json_array',
      'This must be a JSON array of strings',
    ],
    [{ arguments: '[1]' }, 'arguments', 'field.json_array', 'This must be a JSON array of strings'],
    [{ arguments: '{}' }, 'arguments', 'field.json_array', 'This must be a JSON array of strings'],
    [{ app: 'fortran' }, 'app', 'template.app_unknown', 'There is no such app'],
    [
      { survey_vars: [{ name: 'a' }] },
      'survey_vars.0.title',
      'survey.title_required',
      'Title is required',
    ],
    [{ survey_vars: [{ title: 'A' }] }, 'survey_vars.0.name', 'name.required', 'Name is required'],
    [
      { survey_vars: [variable, { ...variable, name: ' a ' }] },
      'survey_vars.1.name',
      'survey.name_repeated',
      'Another variable has this name',
    ],
    ...[undefined, null, []].map((values): [object, string, string, string] => [
      { survey_vars: [{ ...variable, type: 'enum', values }] },
      'survey_vars.0.values',
      'survey.values_required',
      'Enumeration must have values.',
    ]),
    [
      { survey_vars: Array.from({ length: 101 }, (_, n) => ({ name: `v${n}`, title: 'V' })) },
      'survey_vars',
      'field.too_many',
      'Use at most 100 entries',
    ],
    [
      {
        vaults: [
          { vault_key_id: 1, name: 'dev' },
          { vault_key_id: 1, name: 'DEV' },
        ],
      },
      'vaults.1.name',
      'template.vault_repeated',
      'Another vault of this template has this name',
    ],
    [
      { vaults: [{ vault_key_id: 1 }, { vault_key_id: 1, name: 'default' }] },
      'vaults.1.name',
      'template.vault_repeated',
      'Another vault of this template has this name',
    ],
    [{ retries: -1 }, 'retries', 'field.zero_or_more', 'Must be 0 or greater'],
    [{ retries: 11 }, 'retries', 'field.range', 'The number is outside the allowed range'],
    [
      { retry_delay_s: 0 },
      'retry_delay_s',
      'field.range',
      'The number is outside the allowed range',
    ],
    [{ keep_tasks: -1 }, 'keep_tasks', 'field.zero_or_more', 'Must be 0 or greater'],
    [{ keep_days: 40_000 }, 'keep_days', 'field.range', 'The number is outside the allowed range'],
    [
      { app: 'terraform', arguments: '["-parallelism=3", "--out", "x"]' },
      'arguments',
      'template.argument_own',
      'Remove "-out": each task sets it itself',
    ],
    [
      { app: 'tofu', arguments: '["-backend-config=a=b"]' },
      'arguments',
      'template.argument_init',
      'Remove "-backend-config": it is for init. Set TF_CLI_ARGS_init in the environment',
    ],
    [{ vaults: [{ name: 'x' }] }, 'vaults.0.vault_key_id', 'field.required', 'Fill this in'],
  ];
  for (const [fields, path, code, message] of cases) {
    const { status, body } = await create(fields);
    expect([fields, status, body.code]).toEqual([fields, 400, 'request.invalid']);
    expect(body.fields).toMatchObject([{ path, code, message }]);
  }
});

test('empty texts are read back as empty, absent ones of a limit too', async () => {
  const { create } = await startTemplates();
  const { body } = await create({ arguments: ' ', git_branch: '', description: null, limit: null });
  expect(body).toMatchObject({ arguments: '', git_branch: '', description: '', limit: '' });
});
