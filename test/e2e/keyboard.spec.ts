// Slow: every screen is used once more.
// The console without a pointer, and without losing anything when the session ends.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Key } from '#shared/api/keys.ts';
import { expectAccessible, letIn, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { settle, watchRequests } from '../helpers/settle.ts';

const console = useConsole();
const demo = useDemo(console);

/** Opens a page of the administrator with a session of its own, which the test can end. */
async function enterAlone(screen: string): Promise<Page> {
  const page = await console.open(null);
  await letIn(page, 'admin', console.server.password);
  await page.goto(demo.url(screen));
  return page;
}

test('the palette has the letters that were typed while it was loaded', async () => {
  const page = await console.enter();
  await watchRequests(page);
  await page.goto(demo.url('history'));
  await page.getByRole('button', { name: /Go to…/ }).waitFor();
  await settle(page);
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/palette*', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  // Alone, these letters would lead to the templates.
  await page.keyboard.type('gt key stu');
  await page.keyboard.press('Backspace');
  letGo();
  const search = page.getByPlaceholder('Go to a screen, template or project');
  await expect.poll(() => search.inputValue()).toBe('gt key st');
  await search.press('Home');
  await search.press('Delete');
  await search.press('Delete');
  await page.getByRole('button', { name: 'Key Store' }).waitFor();
  expect(page.url()).toContain('/history');
});

test('the palette goes to screens and templates, and runs one', async () => {
  const page = await console.enter();
  await watchRequests(page);
  await page.goto(demo.url('history'));
  await page.getByRole('button', { name: /Go to…/ }).waitFor();
  await settle(page);
  await page.keyboard.press('Control+k');
  const search = page.getByPlaceholder('Go to a screen, template or project');
  await search.fill('key stor');
  await page.getByRole('button', { name: 'Key Store' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${demo.path('keys')}`);

  await page.getByRole('button', { name: /Go to…/ }).click();
  await search.fill('run 1. say');
  await page.getByRole('button', { name: 'Run 1. Say hello', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /Say hello/ });
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/keys\?t=\d+$/);
  await page.getByRole('dialog').getByText('Success', { exact: true }).waitFor();
  const id = /t=(\d+)$/.exec(page.url())?.[1];
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await search.fill(`#${id}`);
  await page.getByRole('button', { name: new RegExp(`^Task #${id} `) }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${demo.path(`tasks/${id}`)}`);
});

test('one of many projects is found from their menu, which is in the order of names', async () => {
  for (const number of [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) {
    await console.call('POST', '/api/projects', { name: `${demo.name} plant ${number}` });
  }
  const page = await demo.enter('keys');
  const choose = page.getByRole('button', { name: 'Choose a project' });
  await choose.click();
  const plants = page.getByRole('menuitem', { name: `${demo.name} plant` });
  await expect
    .poll(async () => (await plants.allInnerTexts()).map((name) => name.split(' ').at(-1)))
    .toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  await page.getByRole('menuitem', { name: 'Find a project…' }).click();
  const search = page.getByPlaceholder('Go to a screen, template or project');
  await search.fill('plant 10');
  await page.getByRole('button', { name: `${demo.name} plant 10` }).waitFor();
  await page.keyboard.press('Enter');
  await choose.getByText(`${demo.name} plant 10`).waitFor();
});

/** The palette of a project whose name says what it looks for, which the server finds more of later. */
async function searchHeld() {
  const name = `${demo.name} say hello`;
  const { id } = await projectOf(name);
  const page = await console.enter();
  await watchRequests(page);
  const held = { until: Promise.withResolvers<void>() };
  await page.route('**/api/user/search?*', async (route) => {
    await held.until.promise;
    await route.continue();
  });
  await page.goto(`${console.server.address}/project/${id}/keys`);
  await page.getByRole('button', { name: /Go to…/ }).waitFor();
  await settle(page);
  await page.keyboard.press('Control+k');
  const search = page.getByPlaceholder('Go to a screen, template or project');
  await search.fill('say hello');
  const project = page.locator('[data-action][data-selected]', { hasText: name });
  await project.waitFor();
  const entries = page.locator('[data-action]');
  const selected = async () => {
    const all = await entries.evaluateAll((found) =>
      found.map((entry) => entry.hasAttribute('data-selected')),
    );
    return all.flatMap((isSelected, index) => (isSelected ? [index] : []));
  };
  return { page, held, search, project, entries, selected };
}

async function projectOf(name: string): Promise<{ id: number }> {
  const all = await console.call<{ id: number; name: string }[]>('GET', '/api/projects');
  const found = all.find((one) => one.name === name);
  return found ?? console.call<{ id: number }>('POST', '/api/projects', { name });
}

test('the first entry is selected when the server finds more', async () => {
  const { page, held, search, entries, selected } = await searchHeld();
  held.until.resolve();
  await expect.poll(() => entries.count()).toBeGreaterThan(1);
  await expect.poll(selected).toEqual([0]);
  // What was found for another text is not there for this one.
  held.until = Promise.withResolvers();
  const answered = page.waitForResponse('**/api/user/search?*');
  await search.fill('key stor');
  await expect.poll(() => entries.allInnerTexts()).toEqual(['Key Store']);
  held.until.resolve();
  await answered;
});

test('what the arrow keys have chosen stays selected when the server finds more', async () => {
  const { page, held, project, entries, selected } = await searchHeld();
  await page.keyboard.press('ArrowDown');
  held.until.resolve();
  await expect.poll(() => entries.count()).toBeGreaterThan(1);
  await project.waitFor();
  const [place = 0] = await selected();
  expect(place).toBeGreaterThan(0);
  await page.keyboard.press('ArrowUp');
  await expect.poll(selected).toEqual([place - 1]);
});

test('single keys go to screens, run a template and can be switched off', async () => {
  const page = await console.enter();
  await watchRequests(page);
  await page.goto(demo.url('history'));
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await settle(page);
  // Both keys are pressed at once, because people type without waiting for the page.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('t')]);
  await page.waitForURL(`**${demo.path('templates')}`);
  await page.getByRole('heading', { name: 'Task Templates' }).waitFor();
  await page.getByRole('link', { name: '1. Say hello' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await settle(page);
  await page.keyboard.press('r');
  const launch = page.getByRole('dialog', { name: /Say hello/ });
  await launch.waitFor();
  await page.keyboard.press('Escape');
  await launch.waitFor({ state: 'detached' });

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Go to Task Templates').waitFor();
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('k')]);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to a screen, template or project').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/templates\/\d+$/);
});

test('a form survives the end of the session and is saved after signing in again', async () => {
  const page = await enterAlone('keys?edit=new');
  const form = page.getByRole('dialog', { name: 'New Key' });
  await form.getByLabel('Name').fill('Typed before the end');
  await form.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'None', exact: true }).click();
  // At once: the console may notice the end by itself, and then asks for the password first.
  await form.getByRole('button', { name: 'Create' }).evaluate(async (button: HTMLElement) => {
    await fetch('/api/auth/logout', { method: 'POST' });
    button.click();
  });

  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect.poll(() => again.getByLabel('Username').inputValue()).toBe('admin');
  await again.getByLabel('Password', { exact: true }).fill('not the password');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByText('Incorrect login or password').waitFor();
  await expectAccessible(page);
  await again.getByLabel('Password', { exact: true }).fill(console.server.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Key Typed before the end created').waitFor();
  await again.waitFor({ state: 'hidden' });
  const keys = await demo.call<Key[]>('GET', demo.api('keys'));
  expect(keys.filter(({ name }) => name === 'Typed before the end')).toHaveLength(1);
});

test('whoever signs out is not asked back in', async () => {
  const page = await enterAlone('templates');
  await page.getByRole('button', { name: /Administrator/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/auth/login');
  expect(await page.getByRole('dialog').count()).toBe(0);
});
