import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';

test('an inventory is refused in the words of the field that is wrong', async () => {
  const { app, seed, params } = await appWithProject(null);
  const cases: [fields: object, path: string, code: string, message: string][] = [
    [{ type: undefined }, 'type', 'inventory.type_required', 'Type is required'],
    [
      { type: 'terraform' },
      'type',
      'field.option',
      'Choose one of: static, static-yaml, file, terraform-workspace, tofu-workspace',
    ],
    [
      { type: 'file', inventory: '' },
      'inventory',
      'inventory.path_required',
      'Path to Inventory file is required',
    ],
    [
      { type: 'file', inventory: '../hosts' },
      'inventory',
      'field.path',
      'Enter a path inside the repository, without ".."',
    ],
    [
      { type: 'file', inventory: '/etc/hosts' },
      'inventory',
      'field.path',
      'Enter a path inside the repository, without ".."',
    ],
    [
      { type: 'file', inventory: '-i' },
      'inventory',
      'field.leading_dash',
      'This must not begin with a dash',
    ],
    [
      { inventory: 'a\u0000' },
      'inventory',
      'field.control_characters',
      'Remove the control characters',
    ],
    [
      { inventory: 'x'.repeat(4 * 1024 * 1024 + 1) },
      'inventory',
      'field.too_long',
      'Use at most 4194304 characters',
    ],
  ];
  for (const [fields, path, code, message] of cases) {
    const body = { name: 'New', type: 'static' as const, inventory: '', ssh_key_id: seed.keyId };
    const answer = await app.admin.ask(inventories.create, {
      params,
      body: { ...body, ...fields },
    });
    expect([path, code, answer.status]).toEqual([path, code, 400]);
    expect(answer.body.fields).toMatchObject([{ path, code, message }]);
  }
});

test('an inventory of many hosts is kept whole, whatever its line ends', async () => {
  const { app, seed } = await appWithProject(null);
  const text = '[web]\r\nhost-é-🚂\t# tab\n'.repeat(50_000);
  const made = await app.admin.call(inventories.create, {
    params: { project_id: seed.projectId },
    body: { name: 'Large', type: 'static', inventory: text, ssh_key_id: seed.keyId },
  });
  expect(made.inventory === text).toBe(true);
});
