import { describe, expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { engines, testApp, type Engine } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

async function start(engine?: Engine) {
  const app = await testApp(engine ? { engine } : {});
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const body = {
    name: 'Deploy',
    playbook: 'site.yml',
    inventory_id: seed.inventoryId,
    repository_id: seed.repositoryId,
    environment_id: seed.environmentId,
  };
  const create = (fields: object) =>
    app.admin.ask(templates.create, { params, body: { ...body, ...fields } });
  const one = (id: number) =>
    app.admin.call(templates.one, { params: { ...params, template_id: id } });
  const update = (id: number, fields: object) =>
    app.admin.ask(templates.update, {
      params: { ...params, template_id: id },
      body: { ...body, ...fields },
    });
  return { app, seed, params, create, one, update };
}

describe.each(engines)('templates on %s', (engine) => {
  test('keep everything that they are given', async () => {
    const { create, one, seed } = await start(engine);
    const fields = {
      description: 'Line one\nline two',
      git_branch: 'release',
      arguments: '["--forks", "5"]',
      limit: 'web:!db',
      tags: 'a,b',
      skip_tags: 'c',
      survey_vars: [
        {
          name: 'target',
          title: 'Target',
          description: 'Where to',
          type: 'enum',
          required: true,
          values: [{ name: 'North', value: 'n' }],
        },
      ],
      allow_override_args_in_task: true,
      allow_override_inventory_in_task: true,
      allow_override_branch_in_task: true,
      allow_override_limit_in_task: true,
      allow_override_tags_in_task: true,
      allow_override_skip_tags_in_task: true,
      allow_debug_in_task: false,
      allow_parallel_tasks: true,
      timeout_s: 600,
      retries: 3,
      retry_delay_s: 30,
      keep_tasks: 50,
      keep_days: 90,
    };
    const { status, body } = await create({
      ...fields,
      vaults: [{ vault_key_id: seed.keyId, name: 'Prod' }],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
    expect(await one(body.id)).toEqual(body);
  });

  test('have vaults of which one may be without a name', async () => {
    const { app, params, seed, create, one, update } = await start(engine);
    const second = await app.admin.call(keys.create, { params, body: { name: 'V', type: 'none' } });
    const { body } = await create({
      vault_key_id: seed.keyId,
      vaults: [{ vault_key_id: second.id, name: 'PROD' }],
    });
    const shown = async () => {
      const template = await one(body.id);
      return [
        template.vault_key_id,
        template.vaults.map((vault) => [vault.name, vault.vault_key_id]),
      ];
    };
    expect(await shown()).toEqual([
      seed.keyId,
      [
        [null, seed.keyId],
        ['prod', second.id],
      ],
    ]);
    await update(body.id, { vaults: [{ vault_key_id: second.id, name: 'default' }] });
    expect(await shown()).toEqual([second.id, [[null, second.id]]]);
    const inUse = await app.admin.ask(keys.remove, { params: { ...params, key_id: second.id } });
    expect([inUse.status, inUse.body.code, inUse.body.inUse]).toEqual([400, 'key.in_use', true]);
    await update(body.id, {});
    expect(await shown()).toEqual([null, []]);
    await app.admin.call(keys.remove, { params: { ...params, key_id: second.id } });
  });

  test('are not changed in part when a vault is refused', async () => {
    const { seed, create, one, update } = await start(engine);
    const { body } = await create({ vault_key_id: seed.keyId });
    const answer = await update(body.id, {
      name: 'Other',
      vaults: [
        { vault_key_id: seed.keyId, name: 'a' },
        { vault_key_id: 999_999, name: 'b' },
      ],
    });
    expect([answer.status, answer.body.fields]).toMatchObject([
      400,
      [{ path: 'vaults.1.vault_key_id', code: 'field.reference' }],
    ]);
    const renamed = await create({ name: 'Second' });
    const taken = await update(renamed.body.id, { vault_key_id: seed.keyId });
    expect([taken.status, taken.body.code]).toEqual([409, 'template.name_taken']);
    expect(await one(body.id)).toEqual(body);
    expect((await one(renamed.body.id)).vaults).toEqual([]);
  });

  test('with an unfinished task stay; without one they go, with their tasks', async () => {
    const { app, params, create, one } = await start(engine);
    const { id } = (await create({})).body;
    const task = await app.admin.call(tasks.start, { params, body: { template_id: id } });
    expect(await one(id)).toMatchObject({
      tasks: 1,
      last_task_id: task.id,
      last_task: { id: task.id, status: 'waiting' },
    });
    const remove = () =>
      app.admin.ask(templates.remove, { params: { ...params, template_id: id } });
    const refused = await remove();
    expect([refused.status, refused.body.code, refused.body.inUse]).toEqual([
      400,
      'template.in_use',
      true,
    ]);
    await app.admin.call(tasks.stop, { params: { ...params, task_id: task.id }, body: {} });
    expect((await remove()).status).toBe(204);
    const gone = await app.admin.ask(tasks.one, { params: { ...params, task_id: task.id } });
    expect([gone.status, gone.body.code]).toEqual([404, 'task.not_found']);
    expect(await app.ctx.db.selectFrom('tasks').select('id').execute()).toEqual([]);
  });
});

test('a template is refused in the words of the fields that are wrong', async () => {
  const { create } = await start();
  const variable = { name: 'a', title: 'A' };
  const cases: [fields: object, path: string, code: string, message: string][] = [
    [{ playbook: '' }, 'playbook', 'template.playbook_required', 'Playbook filename is required'],
    [
      { inventory_id: null },
      'inventory_id',
      'template.inventory_required',
      'Inventory is required',
    ],
    [
      { repository_id: undefined },
      'repository_id',
      'template.repository_required',
      'Repository is required',
    ],
    [
      { environment_id: null },
      'environment_id',
      'template.environment_required',
      'Environment is required',
    ],
    [
      { inventory_id: '1' },
      'inventory_id',
      'field.type',
      'This has the wrong type: number is expected',
    ],
    ...['../site.yml', 'a/../../b.yml', '/etc/site.yml', 'a\\..\\b.yml', '..'].map(
      (playbook): [object, string, string, string] => [
        { playbook },
        'playbook',
        'field.path',
        'Give a path inside the repository, without ".."',
      ],
    ),
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
      'This must be a JSON array of texts',
    ],
    [{ arguments: '[1]' }, 'arguments', 'field.json_array', 'This must be a JSON array of texts'],
    [{ arguments: '{}' }, 'arguments', 'field.json_array', 'This must be a JSON array of texts'],
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
    [{ vaults: [{ name: 'x' }] }, 'vaults.0.vault_key_id', 'field.required', 'Fill this in'],
  ];
  for (const [fields, path, code, message] of cases) {
    const { status, body } = await create(fields);
    expect([fields, status, body.code]).toEqual([fields, 400, 'request.invalid']);
    expect(body.fields).toMatchObject([{ path, code, message }]);
  }
});

test('a text of arguments that is empty is none', async () => {
  const { create } = await start();
  const { body } = await create({ arguments: ' ', git_branch: '', description: null, limit: null });
  expect(body).toMatchObject({ arguments: null, git_branch: null, description: '', limit: '' });
});
