// Slow: it has two servers of its own, and signing in without one is a test of its own.
// The second factor: set up in the account, asked for at signing in, removed by administrators, and
// demanded by the server.

import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { callApi, expectAccessible, useOwnConsole } from '../helpers/console.ts';
import { codeOf, stepMs } from '../helpers/second-factor.ts';

const password = 'a password of somebody';

/** Sets up a second factor on the open page; returns its secret and the recovery codes. */
async function setUp(page: Page, secretOf: string): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
  const secret = await page.getByLabel('Key', { exact: true }).innerText();
  await expectAccessible(page);
  await page.getByLabel('Code from the app').fill('000000');
  await page.getByLabel('Current password *', { exact: true }).last().fill(secretOf);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('This is not the code that the app shows now').waitFor();
  await page.getByLabel('Code from the app').fill(codeOf(secret, new Date()));
  await page.getByRole('button', { name: 'Confirm' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = (await list.innerText()).split(/\s+/).filter(Boolean);
  expect(codes).toHaveLength(10);
  await expectAccessible(page);
  return { secret, codes };
}

const next = (secret: string): string => codeOf(secret, new Date(Date.now() + stepMs));

describe('where everybody may choose', () => {
  // This describe has a server of its own, because everybody who signs in would be asked for the
  // second factor.
  const console = useOwnConsole();

  test('it is set up in the account, asked for as a second step, and removed', async () => {
    const page = await console.open('/account');
    await console.signIn(page);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    const { secret, codes } = await setUp(page, console.server.password);
    await page.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.getByText('Recovery codes left: 10').waitFor();

    const other = await console.open('/account', { colorScheme: 'dark' });
    await console.signIn(other);
    const code = other.getByLabel('Code', { exact: true });
    await code.waitFor();
    await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code');
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByText('Code is required').waitFor();
    await other.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => other.getByLabel('Username').inputValue()).toBe('admin');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await code.fill('000000');
    await code.press('Enter');
    await other.getByText('This code is wrong, or was used already').waitFor();
    await code.fill(next(secret));
    await code.press('Enter');
    await other.getByText('Recovery codes left: 10').waitFor();

    await other.context().clearCookies({ name: 'signalbox' });
    await other.getByRole('button', { name: 'New recovery codes' }).click();
    const ask = other.getByRole('dialog', { name: 'New recovery codes' });
    await ask.getByLabel('Current password').fill(console.server.password);
    await ask.getByRole('button', { name: 'New recovery codes' }).click();
    const again = other.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password', { exact: true }).fill(console.server.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('list', { name: 'Recovery codes' }).waitFor();
    expect(await other.getByText(codes[1] ?? '-', { exact: true }).count()).toBe(0);
    await other.getByRole('button', { name: 'I have saved the codes' }).click();
    await other.getByRole('button', { name: 'Remove', exact: true }).click();
    const remove = other.getByRole('dialog', { name: 'Remove second factor' });
    await remove.getByLabel('Current password').fill(console.server.password);
    await remove.getByRole('button', { name: 'Remove' }).click();
    await other.getByText('Second factor removed').waitFor();
    await other.getByRole('button', { name: 'Set up' }).waitFor();
  });
});

describe('where it is demanded of all', () => {
  const console = useOwnConsole({ SIGNALBOX_SECOND_FACTOR: 'all' });

  test('nothing is shown but how to set it up, and an administrator removes a lost one', async () => {
    const page = await console.open('/account/sessions');
    await console.signIn(page);
    await page.getByRole('heading', { name: 'This server requires a second factor' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('navigation').count()).toBe(0);
    await setUp(page, console.server.password);
    await page.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.waitForURL('**/account/sessions');
    await page.getByText('This session').waitFor();

    const user = { username: 'ann', name: 'Ann Other', email: 'ann@example.com' };
    await callApi(page, 'post', '/api/users', { ...user, password });
    const ann = await console.open('/');
    await console.signIn(ann, 'ann', password);
    await setUp(ann, password);
    await ann.getByRole('button', { name: 'I have saved the codes' }).click();
    await ann.waitForURL('**/project/new');

    await page.goto(`${console.server.address}/users`);
    await page.getByRole('button', { name: 'Remove second factor: Ann Other' }).click();
    const sure = page.getByRole('dialog', { name: 'Remove second factor' });
    await sure.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Second factor of Ann Other removed').waitFor();
    await ann.goto(console.server.address);
    await console.signIn(ann, 'ann', password);
    await ann.getByRole('heading', { name: 'This server requires a second factor' }).waitFor();
    await ann.getByRole('button', { name: 'Sign out' }).click();
    await ann.waitForURL('**/auth/login');
  });
});
