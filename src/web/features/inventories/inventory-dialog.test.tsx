import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inventories, type Inventory } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { aKey, aRepository } from '../../../../test/components/samples.ts';
import { renderAt, replyOf, revision } from '../../../../test/components/render.tsx';
import { InventoryDialog } from './inventory-dialog.tsx';

const stored: Inventory = {
  id: 4,
  project_id: 1,
  name: 'Production',
  type: 'file',
  inventory: 'hosts.yml',
  ssh_key_id: 1,
  become_key_id: 2,
  repository_id: 5,
  holder_id: null,
};

const ssh = { ...aKey, id: 1, name: 'Deploy' };
const login = { ...aKey, id: 2, name: 'Sudo', type: 'login_password' as const };

async function openInventory(edit: number | 'new', listed = [ssh, login]) {
  const view = await renderAt(<InventoryDialog projectId={1} edit={edit} onClose={() => {}} />, {
    replies: [
      replyOf(keys.list, listed),
      replyOf(repositories.list, [{ ...aRepository, id: 5, name: 'Playbooks' }]),
      replyOf(inventories.one, stored),
      replyOf(inventories.create, stored),
      replyOf(inventories.update, undefined),
    ],
  });
  await view.field('Name');
  return view;
}

const hostFields = ['User credentials *', 'Sudo credentials'];

test('the type of an inventory decides what the form asks for', async () => {
  const view = await openInventory('new');
  const expected = {
    Static: hostFields,
    'Static YAML': hostFields,
    File: ['Path to Inventory file *', 'Repository', ...hostFields],
    'Terraform workspace': ['Workspace *'],
    'OpenTofu workspace': ['Workspace *'],
  };
  for (const [type, labels] of Object.entries(expected)) {
    await view.choose('Type', type);
    expect(view.labels()).toEqual(['Name *', 'Type *', ...labels]);
    const preview = view.queryByRole('button', { name: 'Preview hosts and groups' });
    expect([type, preview !== null]).toEqual([type, type.startsWith('Static')]);
  }
});

test('an inventory with hosts needs user credentials', async () => {
  const { fill, press, findByText, sent } = await openInventory('new');
  await fill('Name', 'Production');
  await press('Create');
  expect(await findByText('User credentials are required')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('the only key of a project is chosen, and an ssh key is not offered for sudo', async () => {
  const { user, field, findByText, queryByRole } = await openInventory('new', [ssh]);
  await waitFor(async () => expect((await field('User credentials')).value).toBe('Deploy'));
  await user.click(await field('Sudo credentials'));
  expect(await findByText('Nothing found')).toBeTruthy();
  expect(queryByRole('option', { name: 'Deploy', hidden: false })).toBeNull();
});

test('a change sends the content of its type, with the revision', async () => {
  const { fill, press, sent } = await openInventory(4);
  await fill('Path to Inventory file', 'hosts/all.yml');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    {
      method: 'PUT',
      path: '/api/project/1/inventory/4',
      ifMatch: revision,
      body: {
        name: 'Production',
        type: 'file',
        inventory: 'hosts/all.yml',
        ssh_key_id: 1,
        become_key_id: 2,
        repository_id: 5,
      },
    },
  ]);
});

test('a workspace is sent without the keys and the repository that were chosen before', async () => {
  const { choose, fill, press, findByText, sent } = await openInventory(4);
  await choose('Type', 'Terraform workspace');
  await fill('Workspace', 'pro duction');
  await press('Save');
  expect(await findByText(/^Use letters, digits and the characters/)).toBeTruthy();
  await fill('Workspace', 'production');
  await press('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    name: 'Production',
    type: 'terraform-workspace',
    inventory: 'production',
    ssh_key_id: null,
    become_key_id: null,
    repository_id: null,
  });
});

test('the text of another type is kept while the type changes', async () => {
  const { choose, field } = await openInventory(4);
  await choose('Type', 'OpenTofu workspace');
  expect((await field('Workspace')).value).toBe('');
  await choose('Type', 'File');
  expect((await field('Path to Inventory file')).value).toBe('hosts.yml');
});

test('the preview shows how Ansible reads the text', async () => {
  const { answer, press, findByRole, findByText, sent } = await openInventory('new');
  const group = { name: 'web', host_count: 1, hosts: ['web-1'], children: [] };
  const found = { parsed: true, host_count: 2, groups: [group], messages: ['A warning'] };
  answer(
    replyOf(inventories.preview, { ...found, hosts: [{ name: 'web-1', variables: { port: 22 } }] }),
  );
  await press('Preview hosts and groups');
  expect(await findByText('2 hosts, 1 group')).toBeTruthy();
  expect(await findByRole('row', { name: 'web-1 web port=22' })).toBeTruthy();
  expect(await findByText('A warning')).toBeTruthy();
  expect(await findByText('Showing only the first 1 host.')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ type: 'static', inventory: '' });
  answer(replyOf(inventories.preview, { ...found, parsed: false, host_count: 0, hosts: [] }));
  await press('Preview hosts and groups');
  expect(await findByText('Ansible cannot read this inventory')).toBeTruthy();
});
