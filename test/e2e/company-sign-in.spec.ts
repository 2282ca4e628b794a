// Slow: it has a provider of its own, and most people sign in with a password.
// Signing in at a real provider, in a real browser.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callApi,
  expectAccessible,
  expectAccessibleAtAllSizes,
  useOwnConsole,
} from '../helpers/console.ts';
import { freePort } from '../helpers/free-port.ts';
import { launchProvider, oidcClient, type TestProvider } from '../helpers/oidc-provider.ts';

// The tests fill in these settings before the server starts.
const env: Record<string, string> = {};
let provider: TestProvider;
let folder = '';

beforeAll(async () => {
  const port = await freePort();
  provider = await launchProvider(`http://127.0.0.1:${port}`);
  folder = await mkdtemp(join(tmpdir(), 'signalbox-identity-'));
  const file = join(folder, 'identity.yaml');
  const { issuer } = provider;
  const company = {
    id: 'company',
    name: 'Company',
    issuer,
    client_id: oidcClient.id,
    client_secret: oidcClient.secret,
    color: '#1f6feb',
    allow_private: true,
  };
  await writeFile(file, JSON.stringify({ oidc: [company], password_login: 'off' }));
  Object.assign(env, { SIGNALBOX_PORT: String(port), SIGNALBOX_IDENTITY_FILE: file });
});
afterAll(async () => {
  await provider.stop();
  await rm(folder, { recursive: true });
});

// This file has a server of its own, because the provider has to know its address.
const console = useOwnConsole(env);

test('the only provider is opened at once, leads to the page that was asked for, and is left again', async () => {
  const page = await console.open('/account?x=1');
  await page.waitForURL('**/account?x=1');
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Leave the company' }).click();
  await page.waitForURL('**/auth/login**');
  await page.getByRole('link', { name: 'Sign in with Company' }).waitFor();
  expect(await page.getByLabel('Username').count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in with Company' }).click();
  await page.getByRole('button', { name: 'Ada' }).waitFor();
});

test('what goes wrong is told in our words, and administrators still have the form', async () => {
  provider.refuse = 'access_denied';
  const page = await console.open('/account');
  await page
    .getByText('The sign-in provider denied access. Try again, or ask an administrator.')
    .waitFor();
  expect(await page.getByText('words of the provider').count()).toBe(0);
  await expectAccessible(page);
  await page.goto(`${console.server.address}/auth/login?local=1&next=/account`);
  await console.signIn(page);
  await page.waitForURL('**/account');
  await page.goto(`${console.server.address}/identity`);
  await page.getByRole('cell', { name: provider.issuer }).waitFor();
});

test('an administrator makes a rule, tries claims against it, and deletes it', async () => {
  const page = await console.open('/auth/login?local=1&next=/identity');
  await console.signIn(page);
  await page.getByText('No rules yet').waitFor();
  await page.getByRole('button', { name: 'New rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New rule' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Fill this in').first().waitFor();
  await dialog.getByLabel('Group', { exact: false }).fill('ops-*');
  await dialog.getByRole('combobox', { name: 'The user becomes' }).click();
  await page.getByRole('option', { name: 'Administrator of this server' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('cell', { name: 'ops-*', exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.getByRole('link', { name: 'ops-*' }).click();
  await page.waitForURL('**/identity?edit=1');
  await page.reload();
  const changed = page.getByRole('dialog', { name: 'Edit rule' });
  await expect.poll(() => changed.getByLabel('Group', { exact: false }).inputValue()).toBe('ops-*');
  await page.goBack();
  await changed.waitFor({ state: 'detached' });
  await page.goto(`${console.server.address}/identity?edit=99`);
  await changed.getByText('This rule does not exist').waitFor();
  await page.keyboard.press('Escape');
  await changed.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByText('Nothing: no rule matches').waitFor();
  await page.getByRole('textbox', { name: 'Claims' }).fill('{"groups": ["ops-eu"]}');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByText('applies').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete ops-*' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No rules yet').waitFor();
});

test('rules stand by what they give, and the team knows their roles from those given by hand', async () => {
  const page = await console.open('/auth/login?local=1&next=/account');
  await console.signIn(page);
  await page.waitForURL('**/account');
  const { id } = await callApi<{ id: number }>(page, 'post', '/api/projects', { name: 'Payments' });
  const rule = { source: 'any', claim: 'groups', project_id: id };
  const add = (fields: object) =>
    callApi(page, 'post', '/api/identity/rules', { ...rule, ...fields });
  await add({ pattern: 'everybody', role: 'guest' });
  await add({ pattern: 'ops', role: 'manager' });
  await add({ pattern: 'chiefs', project_id: null, role: null, administrator: true });
  await page.goto(`${console.server.address}/identity`);
  const groups = page.getByRole('table', { name: 'Groups and roles' }).getByRole('link');
  await groups.first().waitFor();
  await expect.poll(() => groups.allInnerTexts()).toEqual(['chiefs', 'ops', 'everybody']);

  provider.refuse = null;
  provider.account = { ...provider.account, groups: ['ops', 'everybody'] };
  const ada = await console.open('/account');
  await ada.waitForURL('**/account');
  await page.goto(`${console.server.address}/project/${id}/team`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Ada').getByText('Role assigned by a rule').waitFor();
  await row('Administrator').getByText('Role assigned by hand').waitFor();
  const note = page.getByText('and rules no longer change it');
  await expect.poll(() => note.count()).toBe(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove Ada' }).click();
  const question = page.getByRole('dialog', { name: 'Remove from the team' });
  await question.getByText('becomes a member again at the next sign-in').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('combobox', { name: 'Role of Ada' }).click();
  await page.getByRole('option', { name: /^Guest/ }).click();
  await page.getByText(/: Guest\. Group rules no longer change this role/).waitFor();
  await row('Ada').getByText('Role assigned by a rule').waitFor({ state: 'detached' });
  await note.waitFor({ state: 'detached' });
});

test('a rule gives a role on one view, with a limit, and the page of access shows it', async () => {
  const page = await console.open('/auth/login?local=1&next=/account');
  await console.signIn(page);
  await page.waitForURL('**/account');
  const create = (path: string, body: object) =>
    callApi<{ id: number }>(page, 'post', `/api/${path}`, body);
  const { id } = await create('projects', { name: 'Shop' });
  await create(`project/${id}/views`, { title: 'Restarts', position: 0 });
  const rule = { source: 'any', claim: 'groups', pattern: 'vendor', project_id: id, role: 'guest' };
  await create('identity/rules', rule);
  await page.goto(`${console.server.address}/identity?edit=new`);
  const dialog = page.getByRole('dialog', { name: 'New rule' });
  await dialog.getByLabel('Group', { exact: false }).fill('vendor');
  const choose = async (name: string, option: string) => {
    await dialog.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('The user becomes', 'Role on one object');
  await dialog.getByText('Only for members of the project').waitFor();
  await choose('Project', 'Shop');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Choose what the role is given on').waitFor();
  await choose('Kind', 'Views');
  await choose('Object', 'Restarts');
  await dialog.getByRole('button', { name: 'Limits' }).click();
  await dialog.getByRole('checkbox', { name: 'Dry run only' }).check();
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const list = page.getByRole('table', { name: 'Groups and roles' });
  await list.getByText('Task Runner on Restarts in Shop').waitFor();
  await list.getByText('dry run only').waitFor();
  await page.getByRole('textbox', { name: 'Claims' }).fill('{"groups": ["vendor"]}');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByRole('listitem').getByText('Task Runner on Restarts in Shop').first().waitFor();

  provider.account = { ...provider.account, groups: ['vendor'] };
  const ada = await console.open('/account');
  await ada.waitForURL('**/account');
  await page.goto(`${console.server.address}/project/${id}/team/access`);
  const grant = page.getByRole('row').filter({ hasText: 'Restarts' });
  for (const words of ['Task Runner', 'dry run only', 'Group rule']) {
    await grant.getByText(words).first().waitFor();
  }
  await expectAccessible(page);
});
