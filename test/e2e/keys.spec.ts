// The keys of a project: forms that hold secrets, edits that would be lost, keys in use.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Key } from '#shared/api/keys.ts';
import { useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { publicKeyOf, sshKeygen } from '../helpers/private-keys.ts';

const console = useConsole();
const demo = useDemo(console);

const openKeys = async (): Promise<Page> => {
  const page = await demo.enter('keys');
  await page.getByRole('table', { name: 'Key Store' }).waitFor();
  return page;
};

const stored = async (name: string): Promise<Key | undefined> =>
  (await demo.call<Key[]>('GET', demo.api('keys'))).find((key) => key.name === name);

test('a key that no run could load is refused at its field, and saved when that is put right', async () => {
  const page = await openKeys();
  await page.getByRole('button', { name: 'New Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Key' });
  await dialog.getByLabel('Name').fill('Encrypted key');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'SSH key' }).click();
  const create = dialog.getByRole('button', { name: 'Create' });
  const [text, passphrase] = [dialog.getByLabel('Private key'), dialog.getByLabel('Passphrase')];
  const key = await sshKeygen({ passphrase: 'correct horse' });
  await text.fill(await publicKeyOf(await sshKeygen()));
  await create.click();
  await dialog.getByText('This is a public key').waitFor();
  await text.fill(key.replaceAll('\n', '\r\n    '));
  await create.click();
  await dialog.getByText('This private key is encrypted').waitFor();
  await expect.poll(() => passphrase.evaluate((input) => input.matches(':focus'))).toBe(true);
  await passphrase.fill('wrong');
  await create.click();
  await dialog.getByText('This is not the passphrase').waitFor();
  await passphrase.fill('correct horse');
  await create.click();
  await page.getByText('Key Encrypted key created').waitFor();
});

test('a key is made, renamed without its secret, given another and deleted', async () => {
  const page = await openKeys();
  await page.getByRole('button', { name: 'New Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Key' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.getByText('Type is required').waitFor();
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'SSH key' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Private key is required').waitFor();
  await dialog.getByLabel('Name').fill('Deploy key');
  await dialog.getByLabel('Private key').fill(await sshKeygen());
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Key Deploy key created').waitFor();
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('link', { name: 'Deploy key', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit key' });
  await edit.getByLabel('Name').fill('Deployment');
  await expect.poll(() => edit.getByLabel('Private key').isDisabled()).toBe(true);
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Key Deployment saved').waitFor();
  expect(await stored('Deployment')).toMatchObject({ type: 'ssh', empty: false });

  await page.getByRole('button', { name: 'Edit Deployment' }).click();
  await edit.getByLabel('Replace the secret').check();
  await edit.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Login with password' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('Password is required').waitFor();
  await edit.getByLabel('Password *', { exact: true }).fill('a new secret');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  expect(await stored('Deployment')).toMatchObject({ type: 'login_password' });

  await page.getByRole('button', { name: 'Delete Deployment' }).click();
  const question = page.getByRole('dialog', { name: 'Delete key' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Key Deployment deleted').waitFor();
  expect(await stored('Deployment')).toBeUndefined();
});

test('a key in use is not deleted: the dialog leads to what uses it', async () => {
  const page = await openKeys();
  await page.getByRole('button', { name: 'Delete Demo vault' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete key' });
  await dialog
    .getByText('Cannot delete the key, because it is used by the resources listed below.')
    .waitFor();
  await dialog.getByRole('heading', { name: 'Templates' }).waitFor();
  await dialog.getByRole('link').first().click();
  await page.waitForURL(/\/templates\/\d+$/);
});

test('what was typed is not lost without a question, nor over the edit of somebody else', async () => {
  const { id } = await demo.call<Key>('POST', demo.api('keys'), { name: 'Shared', type: 'none' });
  const page = await demo.enter(`keys?edit=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Edit key' });
  await dialog.getByLabel('Name').fill('Mine');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Mine');

  const path = demo.api(`keys/${id}`);
  await demo.call('PUT', path, { id, name: 'Theirs', type: 'none' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog
    .getByRole('button', { name: 'Discard my changes and load the latest version' })
    .click();
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Theirs');
  await dialog.getByLabel('Name').fill('Both of us');
  await demo.call('PUT', path, { id, name: 'Theirs again', type: 'none' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Overwrite with my changes' }).click();
  await page.getByText('Key Both of us saved').waitFor();
  expect(await stored('Both of us')).toBeDefined();
});

test('a host gets a key of the type that fits, which then names the host among its uses', async () => {
  const ssh = { login: 'git', private_key: await sshKeygen() };
  await demo.call('POST', demo.api('keys'), { name: 'Roles', type: 'ssh', ssh });
  const page = await openKeys();
  await page.getByRole('link', { name: 'Keys by host' }).click();
  await page.getByRole('button', { name: 'New host' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New host' });
  await dialog.getByRole('textbox', { name: 'Host' }).fill('*.example.org');
  await dialog.getByRole('combobox', { name: 'Key' }).click();
  await page.getByRole('option', { name: 'Roles', exact: true }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Enter a host such as git.example.org').waitFor();
  await dialog.getByRole('textbox', { name: 'Host' }).fill('git.example.org');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Key for git.example.org added').waitFor();
  await page.getByRole('link', { name: 'git.example.org' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit host' });
  await edit.getByRole('textbox', { name: 'Host' }).fill('git.example.org:2222');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Key for git.example.org:2222 saved').waitFor();

  await page.goto(demo.url('keys'));
  await page.getByRole('button', { name: 'Delete Roles' }).click();
  const question = page.getByRole('dialog', { name: 'Delete key' });
  await question.getByRole('link', { name: 'git.example.org:2222' }).click();
  await edit.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete git.example.org:2222' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove host' });
  await removal.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Key for git.example.org:2222 removed').waitFor();
});

test('a guest sees which keys there are, and changes none', async () => {
  const page = await openAs(console, demo, 'guest', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto(demo.url(`keys?edit=${(await stored('Demo vault'))?.id}`));
  await page.getByRole('cell', { name: 'Demo vault' }).waitFor();
  expect(await page.getByRole('button', { name: /New Key|Edit|Delete/ }).count()).toBe(0);
  expect(await page.getByRole('dialog').count()).toBe(0);
});
