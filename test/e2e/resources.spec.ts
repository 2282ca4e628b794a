// Slow: the real programs check what is typed into the forms.
// Inventories, environments and repositories: the programs that use their contents check them,
// secrets are never read, and guests change nothing.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Environment } from '#shared/api/environments.ts';
import type { Inventory } from '#shared/api/inventories.ts';
import type { Repository } from '#shared/api/repositories.ts';
import { expectAccessible, follow, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import type { PageOptions } from '../helpers/pages.ts';

const console = useConsole();
const demo = useDemo(console);

const openList = async (path: string, name: string, look?: PageOptions): Promise<Page> => {
  const page = await console.enter(look);
  await page.goto(demo.url(path));
  await page.getByRole('table', { name }).waitFor();
  return page;
};

async function stored<T extends { name: string }>(path: string, name: string) {
  return (await demo.call<T[]>('GET', demo.api(path))).find((one) => one.name === name);
}

/** Types into the code editor with this label. */
async function typeCode(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label });
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

test('an inventory is shown as Ansible reads it before it is saved', async () => {
  const page = await openList('inventory', 'Inventory');
  await page.getByRole('button', { name: 'New Inventory' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Inventory' });
  await dialog.getByText('web-2.example.com ansible_host=192.0.2.12').waitFor();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.getByText('User credentials are required').waitFor();
  await dialog.getByLabel('Name').fill('Shop');
  await typeCode(page, 'Inventory', '[web]\nweb1\n\n[db:children]\nnobody\n');
  await dialog.getByRole('button', { name: 'Preview hosts and groups' }).click();
  await dialog.getByText('includes undefined group: nobody').waitFor();
  await expectAccessible(page);
  await typeCode(page, 'Inventory', '[web]\nweb[1:3] port=80\n');
  await dialog.getByRole('button', { name: 'Preview hosts and groups' }).click();
  await dialog.getByText('3 hosts, 1 group').waitFor();
  await dialog.getByRole('cell', { name: 'port=80' }).first().waitFor();
  await dialog.getByRole('combobox', { name: 'User credentials' }).click();
  await page.getByRole('option').first().click();
  // The first Escape ends the full screen and not the dialog; then Escape and Tab leave the editor.
  await dialog.getByRole('button', { name: 'Full screen' }).click();
  await page.getByRole('textbox', { name: 'Inventory' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Full screen' }).waitFor();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Inventory Shop created').waitFor();
  expect(await stored<Inventory>('inventory', 'Shop')).toMatchObject({
    type: 'static',
    inventory: '[web]\nweb[1:3] port=80\n',
  });

  await page.getByRole('link', { name: 'Shop', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit inventory' });
  await edit.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'File' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('Path to Inventory file is required').waitFor();
  await edit.getByLabel('Path to Inventory file').fill('hosts/production.yml');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Inventory Shop saved').waitFor();
  expect(await stored<Inventory>('inventory', 'Shop')).toMatchObject({
    type: 'file',
    inventory: 'hosts/production.yml',
  });
  await page.getByRole('button', { name: 'Delete Shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Inventory Shop deleted').waitFor();
});

test('variables are rows or JSON, and secrets are replaced but never read', async () => {
  const page = await openList('environment', 'Environment', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'New Environment' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Environment' });
  await dialog.getByLabel('Name', { exact: false }).first().fill('Staging');
  await dialog.getByRole('button', { name: 'Add variable' }).first().click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.locator('input:focus').fill('port');
  expect(await dialog.getByLabel('Extra variables: name 1').inputValue()).toBe('port');
  await dialog.getByLabel('Extra variables: value 1').fill('8080');
  await dialog.getByRole('button', { name: 'Add secret' }).click();
  await dialog.locator('input:focus').fill('token');
  expect(await dialog.getByLabel('Secret: name 1').inputValue()).toBe('token');
  await dialog.getByLabel('Value of secret token').fill('very secret');
  await expectAccessible(page);
  await dialog.getByRole('radiogroup', { name: 'Extra variables as' }).getByText('JSON').click();
  await typeCode(page, 'Extra variables as JSON', '{"port": 8080, "big": 12345678901234567890}');
  await dialog.getByRole('radiogroup', { name: 'Extra variables as' }).getByText('Table').click();
  await expect
    .poll(() => dialog.getByLabel('Extra variables: value 2').inputValue())
    .toBe('12345678901234567890');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Environment Staging created').waitFor();
  const made = await stored<Environment>('environment', 'Staging');
  expect(made?.json).toBe('{"port": 8080, "big": 12345678901234567890}');

  const path = demo.api(`environment/${made?.id}`);
  await page.getByRole('link', { name: 'Staging', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit environment' });
  expect(await edit.getByText('very secret').count()).toBe(0);
  await edit.getByRole('button', { name: 'Replace secret token' }).click();
  await edit.getByLabel('Value of secret token').fill('another');
  await edit.getByRole('button', { name: 'Add secret' }).click();
  await edit.getByRole('combobox', { name: 'Type of secret 2' }).click();
  await page.getByRole('option', { name: 'Environment variable' }).click();
  await edit.getByLabel('Secret: name 2').fill('not a name');
  await edit.getByLabel('Value of secret not a name').fill('x');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByRole('alert').waitFor();
  await edit.getByLabel('Secret: name 2').fill('TOKEN');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Environment Staging saved').waitFor();
  const saved = await demo.call<Environment>('GET', path);
  expect(saved.secrets?.map(({ type, name, empty }) => [type, name, empty]).toSorted()).toEqual([
    ['env', 'TOKEN', false],
    ['var', 'token', false],
  ]);
  await edit.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Staging', exact: true }).click();
  await edit.getByRole('button', { name: 'Delete secret TOKEN', exact: true }).click();
  await edit.getByText('Deleted when you save').waitFor();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  expect((await demo.call<Environment>('GET', path)).secrets?.length).toBe(1);
});

test('a repository is tried before it is saved, and its host is pinned and forgotten', async () => {
  const page = await openList('repositories', 'Repositories');
  const [playbooks] = await demo.call<Repository[]>('GET', demo.api('repositories'));
  await page.getByRole('button', { name: 'New Repository' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Repository' });
  await dialog.getByLabel('Git URL').fill('ftp://example.com/code');
  await dialog.getByRole('button', { name: 'Create' }).click();
  for (const words of ['Name is required', 'Incorrect URL', 'Key is required']) {
    await dialog.getByText(words).waitFor();
  }
  await dialog.getByLabel('Name').fill('Copy');
  await dialog.getByLabel('Git URL').fill('git@example.com:team/code.git');
  await dialog.getByText('https', { exact: true }).click();
  await expect
    .poll(() => dialog.getByLabel('Git URL').inputValue())
    .toBe('https://example.com/team/code.git');
  await dialog.getByLabel('Git URL').fill(playbooks?.git_url ?? '');
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Branch' }).isDisabled()).toBe(true);
  await dialog.getByText('file', { exact: true }).click();
  // A folder needs no key, so the key without a secret is chosen.
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Key' }).inputValue()).toBe('None');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await dialog.getByText(/^Connected: \d+ branch/).waitFor();
  await expect
    .poll(() => dialog.getByRole('combobox', { name: 'Branch' }).inputValue())
    .toBe('main');
  await dialog.getByLabel('Git URL').fill('https://127.0.0.1:1/code.git');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await dialog.getByText('Cannot connect to the repository.').waitFor();
  // A refused address is named at its field, and nothing stays to correct when it is changed.
  const outside = dialog.getByText('This folder is outside the folders');
  const banner = dialog.getByText('Some fields are not valid.');
  await dialog.getByLabel('Git URL').fill('/srv/elsewhere');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await outside.waitFor();
  await expect.poll(() => dialog.getByText('Cannot connect to the repository').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await banner.waitFor();
  await dialog.getByLabel('Git URL').fill(`file://${playbooks?.git_url}`);
  await banner.waitFor({ state: 'hidden' });
  await dialog.getByRole('combobox', { name: 'Branch' }).fill('');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Repository Copy created').waitFor();
  const row = page.getByRole('row', { name: 'Copy' });
  await row.getByText('main').waitFor();
  await page.getByRole('button', { name: 'Delete Demo playbooks' }).click();
  const refused = page.getByRole('dialog', { name: 'Delete repository' });
  await refused
    .getByText('Cannot delete the repository, because it is used by the resources listed below.')
    .waitFor();
  await refused.getByText('Close', { exact: true }).click();
  await page.getByRole('link', { name: 'Host keys' }).click();
  await page.getByText('No host keys yet').waitFor();
});

test('a guest sees names, and changes nothing', async () => {
  const page = await openAs(console, demo, 'guest', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto(demo.url('history'));
  for (const [path, name] of [
    ['inventory', 'Inventory'],
    ['environment', 'Environment'],
    ['repositories', 'Repositories'],
  ] as const) {
    const [first] = await demo.call<{ id: number }[]>('GET', demo.api(path));
    await follow(page, demo.url(`${path}?edit=${first?.id}`));
    await page.getByRole('table', { name }).getByRole('cell').first().waitFor();
    expect(await page.getByRole('button', { name: /^(?:New|Edit|Delete)/ }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
  await follow(page, demo.url('settings'));
  await page.waitForURL(`**${demo.path('history')}`);
  await page.goto(`${console.server.address}/users`);
  await page.waitForURL(`**${demo.path('history')}`);
});
