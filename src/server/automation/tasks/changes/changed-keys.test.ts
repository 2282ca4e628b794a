import { describe, expect, test } from 'vitest';
import type { CallOf } from '#shared/api/endpoint.ts';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { newCanary } from '../../../../../test/helpers/canaries.ts';
import {
  changeInventory,
  comparedTasks,
  failed,
} from '../../../../../test/helpers/compared-tasks.ts';

describe('variables', () => {
  async function withVariables() {
    const made = await comparedTasks();
    const { app, seed } = made;
    const params = { project_id: seed.projectId, environment_id: seed.environmentId };
    type Body = Omit<CallOf<typeof environments.update>['body'], 'name'>;
    const change = (body: Body) =>
      app.admin.call(environments.update, { params, body: { name: 'Variables', ...body } });
    const secrets = async () => (await app.admin.call(environments.one, { params })).secrets ?? [];
    return { ...made, change, secrets };
  }

  test('are told with their values, but not where these may be secrets', async () => {
    const { run, told, change } = await withVariables();
    const old = newCanary();
    await change({
      json: JSON.stringify({ port: 80, old: 1, db_password: old, list: { token: old } }),
      env: JSON.stringify({ MODE: 'fast', URL: `https://me:${old}@example.com` }),
    });
    await run();
    await change({
      json: JSON.stringify({
        port: 8080,
        db_password: newCanary(),
        list: { token: '' },
        new: true,
      }),
      env: JSON.stringify({ MODE: 'slow', URL: 'https://example.com' }),
    });
    expect(await told(await run(failed))).toEqual([
      ['variable', 'changed', 'port', '80', '8080'],
      ['variable', 'removed', 'old', '1', null],
      ['variable', 'changed', 'db_password', null, null],
      ['variable', 'changed', 'list', null, null],
      ['variable', 'added', 'new', null, 'true'],
      ['process_variable', 'changed', 'MODE', 'fast', 'slow'],
      ['process_variable', 'changed', 'URL', null, null],
    ]);
  });

  test('that are secret are told by their names, when they were set again', async () => {
    const { app, run, told, changes, change, secrets } = await withVariables();
    const canaries = [newCanary(), newCanary(), newCanary(), newCanary()];
    const [one = '', two = '', three = '', four = ''] = canaries;
    const create = (name: string, secret: string) =>
      ({ operation: 'create', type: 'var', name, secret }) as const;
    // A secret of today that was a plain variable shows no value from that time either.
    await change({
      json: JSON.stringify({ plain: one }),
      secrets: [create('kept', two), create('renewed', three), create('gone', four)],
    });
    await run();
    app.clock.advance(60_000);
    const of = new Map((await secrets()).map(({ name, id }) => [name, id]));
    await change({
      json: '{}',
      secrets: [
        { operation: 'update', id: of.get('kept'), name: 'kept', secret: '' },
        { operation: 'update', id: of.get('renewed'), secret: four },
        { operation: 'delete', id: of.get('gone') },
        create('plain', two),
      ],
    });
    const task = await run(failed);
    expect(await told(task)).toEqual([
      ['variable', 'removed', 'plain', null, null],
      ['secret', 'replaced', 'renewed', null, null],
      ['secret', 'removed', 'gone', null, null],
      ['secret', 'added', 'plain', null, null],
    ]);
    const text = JSON.stringify(await changes(task));
    for (const canary of canaries) expect(text).not.toContain(canary);
    expect(await told(await run(failed))).toEqual(await told(task));
  });

  test('and inventories have no content for guests', async () => {
    const { app, seed, run, told, change } = await withVariables();
    await run();
    await change({ json: '{"port":1}' });
    await changeInventory(app, seed, 'web1\n');
    const task = await run(failed);
    expect(await told(task)).toHaveLength(3);
    const guest = await app.member(seed.projectId, 'guest');
    expect(await told(task, guest)).toEqual([
      ['environment', 'changed', '', null, null],
      ['inventory', 'changed', '', null, null],
    ]);
  });
});

test('tells other keys and keys that were given another content', async () => {
  const { app, seed, run, told, changes } = await comparedTasks();
  const params = { project_id: seed.projectId };
  const canaries = [newCanary(), newCanary(), newCanary()];
  const login = (password = '') => ({
    name: 'Login',
    type: 'login_password' as const,
    login_password: { login: '', password },
  });
  const key = await app.admin.call(keys.create, { params, body: login(canaries[0]) });
  const place = { params: { ...params, inventory_id: seed.inventoryId } };
  const inventory = { name: 'Hosts', type: 'static' as const, inventory: 'web1\n' };
  await app.admin.call(inventories.update, {
    ...place,
    body: { ...inventory, ssh_key_id: key.id },
  });
  await run();
  const change = (body: CallOf<typeof keys.update>['body']) =>
    app.admin.call(keys.update, { params: { ...params, key_id: key.id }, body });
  await change({ ...login(), name: 'Renamed' });
  expect(await told(await run(failed))).toEqual([]);
  await change({ ...login(canaries[1]), override_secret: true });
  const task = await run(failed);
  expect(await told(task)).toEqual([['key', 'replaced', 'user', null, 'Login']]);
  await app.admin.call(inventories.update, {
    ...place,
    body: { ...inventory, ssh_key_id: seed.keyId },
  });
  expect(await told(await run(failed))).toEqual([['key', 'changed', 'user', 'Login', 'Nothing']]);
  const text = JSON.stringify(await changes(task));
  for (const canary of canaries) expect(text).not.toContain(canary);
});
