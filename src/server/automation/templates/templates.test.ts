import { describe, expect, test } from 'vitest';
import { integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { startTemplates } from '../../../../test/helpers/template-calls.ts';

describe('templates', () => {
  test('keep everything that they are given', async () => {
    const { create, one, seed } = await startTemplates();
    const fields = {
      description: 'Line one\nline two',
      git_branch: 'release',
      arguments: '["--forks", "5"]',
      limit: 'web:!db',
      working_directory: 'sites/north',
      install_requirements: 'never',
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

  test('need no inventory and no environment, but say so', async () => {
    const { create, one, update } = await startTemplates();
    const none = { inventory_id: null, environment_id: null };
    const shown = { ...none, environment_ids: [] };
    const made = await create({ name: 'None', ...none });
    expect([made.status, made.body]).toMatchObject([201, shown]);
    // Forms of older clients send 0 for nothing, and newer ones a list.
    const zero = await create({ name: 'Zero', inventory_id: 0, environment_id: 0 });
    expect([zero.status, zero.body]).toMatchObject([201, shown]);
    const listed = { inventory_id: null, environment_id: undefined, environment_ids: [] };
    const list = await create({ name: 'List', ...listed });
    expect([list.status, list.body]).toMatchObject([201, shown]);
    // A client that leaves them out must not clear them.
    const missing = { inventory_id: undefined, environment_id: undefined };
    const full = (await create({})).body;
    expect((await update(full.id, { ...missing, description: 'Other' })).status).toBe(204);
    const kept = await one(full.id);
    expect(kept).toMatchObject({ description: 'Other', inventory_id: full.inventory_id });
    expect(kept.environment_ids).toEqual(full.environment_ids);
    expect((await update(made.body.id, { ...missing, name: 'Renamed' })).status).toBe(204);
    expect(await one(made.body.id)).toMatchObject({ name: 'Renamed', ...shown });
    expect((await update(full.id, none)).status).toBe(204);
    expect(await one(full.id)).toMatchObject(shown);
  });

  test('are found by their working folder', async () => {
    const { app, params, create } = await startTemplates();
    await create({ name: 'North', working_directory: 'sites/north' });
    await create({ name: 'South', working_directory: 'sites/south' });
    const found = await app.admin.call(templates.list, { params, query: { q: 'sites/NORTH' } });
    expect(found.map(({ name }) => name)).toEqual(['North']);
  });

  test('have vaults of which one may be without a name', async () => {
    const { app, params, seed, create, one, update } = await startTemplates();
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
    expect(await shown()).toEqual([second.id, [[null, second.id]]]);
    await update(body.id, { vaults: [] });
    expect(await shown()).toEqual([null, []]);
    await app.admin.call(keys.remove, { params: { ...params, key_id: second.id } });
  });

  test('are not changed in part when a vault is refused', async () => {
    const { seed, create, one, update } = await startTemplates();
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

  test('are kept by everything that uses them, each by its name', async () => {
    const { app, params, create } = await startTemplates();
    const { id } = (await create({ name: 'Build', type: 'build', start_version: '1' })).body;
    const follower = { name: 'Follower', type: 'deploy', build_template_id: id };
    expect((await create(follower)).status).toBe(201);
    const body = { name: 'Push', template_id: id };
    await app.admin.call(integrations.create, { params, body });
    const remove = () =>
      app.admin.ask(templates.remove, { params: { ...params, template_id: id } });
    const sections = { templates: 'Follower', integrations: 'Push' };
    const names = 'template "Follower", integration "Push"';
    expect((await remove()).body).toMatchObject({
      error: `The template is used by ${names}. Change or delete what uses it first, and wait until its tasks end.`,
      params: { ...sections, names },
    });
    const task = await app.admin.call(tasks.start, { params, body: { template_id: id } });
    expect((await remove()).body.params).toEqual({
      ...sections,
      tasks: `#${task.id}`,
      names: `${names}, task #${task.id}`,
    });
  });

  test('with an unfinished task stay; without one they go, with their tasks', async () => {
    const { app, params, create, one } = await startTemplates();
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
    expect(refused.body.params).toEqual({ names: `task #${task.id}`, tasks: `#${task.id}` });
    await app.admin.call(tasks.stop, { params: { ...params, task_id: task.id }, body: {} });
    expect((await remove()).status).toBe(204);
    const gone = await app.admin.ask(tasks.one, { params: { ...params, task_id: task.id } });
    expect([gone.status, gone.body.code]).toEqual([404, 'task.not_found']);
    expect(await app.ctx.db.selectFrom('tasks').select('id').execute()).toEqual([]);
  });
});
