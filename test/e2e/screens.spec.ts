// Slow: every screen is opened, for each way to be without a session.
// What holds on every screen: language and theme stay, and nobody sees a screen without a session.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, letIn, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const { open, signIn } = console;
const demo = useDemo(console);

async function choosePreference(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Administrator' }).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
  await page.keyboard.press('Escape');
}

test('a chosen language and theme stay, and the page says so', async () => {
  const page = await open();
  await page.waitForURL('**/auth/login');
  await page.evaluate(() => localStorage.setItem('lang', 'de'));
  await page.reload();
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('de');
  await page.evaluate(() => localStorage.setItem('lang', ''));
  await letIn(page, 'admin', console.server.password);
  await page.goto(demo.url('history'));
  await choosePreference(page, 'Dark mode');
  const scheme = (): Promise<string | null> =>
    page.getAttribute('html', 'data-mantine-color-scheme');
  await expect.poll(scheme).toBe('dark');
  await page.reload();
  await expect.poll(scheme).toBe('dark');
});

test('language and theme are chosen before signing in, and a wrong password moves nothing', async () => {
  const page = await open();
  await page.waitForURL('**/auth/login');
  await page.getByRole('button', { name: 'Dark mode' }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Deutsch' });
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  const dark = page.getByRole('button', { name: 'Dunkler Modus' });
  await expect.poll(() => dark.getAttribute('aria-pressed')).toBe('true');
  expect(await page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');
  const place = async () => (await page.getByLabel('Benutzername').boundingBox())?.y;
  const before = await place();
  await page.getByLabel('Benutzername').fill('admin');
  await page.getByRole('textbox', { name: 'Passwort' }).fill('a wrong one');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await place()).toBe(before);
  const password = page.getByRole('textbox', { name: 'Passwort' });
  expect(await password.evaluate((input) => input === document.activeElement)).toBe(true);
  await expectAccessible(page);
});

test('somebody without a session is asked to sign in, and then sees what they asked for', async () => {
  const template = await addProgram(demo, 'Quick', 'echo done\n');
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'success');
  const path = demo.path(`templates/${template}?t=${id}`);
  const page = await open(path);
  await page.waitForURL('**/auth/login**');
  await signIn(page);
  await page.waitForURL(`**${path}`);
  await page.getByRole('dialog').getByText(`Task #${id}`, { exact: true }).waitFor();
});

test('the sidebar becomes a rail of icons, and stays one', async () => {
  const page = await demo.enter('templates');
  const width = async () => (await page.getByRole('complementary').boundingBox())?.width;
  await expect.poll(width).toBe(260);
  await choosePreference(page, 'Icons only');
  await expect.poll(width).toBe(63);
  await page.reload();
  const keys = page.getByRole('link', { name: 'Key Store' });
  await keys.hover();
  await page.getByRole('tooltip', { name: 'Key Store' }).waitFor();
  await keys.click();
  await page.waitForURL(`**${demo.path('keys')}`);
  await expect.poll(width).toBe(63);
  await expectAccessible(page);
  await choosePreference(page, 'Icons only');
  await expect.poll(width).toBe(260);
});

test('all sections are in sight on a laptop and on a phone, and the open one always', async () => {
  const page = await demo.enter('alerts');
  const navigation = page.getByRole('navigation', { name: 'Project' });
  const hidden = () => navigation.evaluate((nav) => nav.scrollHeight - nav.clientHeight);
  for (const height of [657, 721, 881, 1080]) {
    await page.setViewportSize({ width: 1366, height });
    expect([height, await hidden()]).toEqual([height, 0]);
  }
  await page.setViewportSize({ width: 1366, height: 400 });
  await page.reload();
  const current = navigation.getByRole('link', { name: 'Settings' });
  await page.goto(demo.url('settings'));
  await current.waitFor();
  await expect
    .poll(async () => {
      const [link, box] = [await current.boundingBox(), await navigation.boundingBox()];
      return link && box && link.y + link.height <= box.y + box.height + 1;
    })
    .toBe(true);
  await page.setViewportSize({ width: 360, height: 657 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await navigation.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await hidden()).toBe(0);
});

const ofServer = /\/assets\/|\/api\/(?!ws)/;

test('code that cannot be loaded keeps the screen, and comes when the server is back', async () => {
  const page = await demo.enter('inventory');
  const heading = page.getByRole('heading', { level: 1, name: 'Inventory' });
  await heading.waitFor();
  await page.route(ofServer, (route) => route.abort());
  const isAsked = page.waitForRequest(/\/api\/ping/);
  await page.getByRole('button', { name: 'Administrator' }).click();
  await isAsked;
  expect(await heading.isVisible()).toBe(true);
  await page.unroute(ofServer);
  await page.getByRole('menuitemcheckbox', { name: 'Dark mode' }).waitFor();
  await page.keyboard.press('Escape');
  await page.route(ofServer, (route) => route.abort());
  await page.getByRole('link', { name: 'Home' }).click();
  await page.waitForRequest(/\/api\/ping/);
  expect(await heading.isVisible()).toBe(true);
  await page.unroute(ofServer);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

test('the screens of a project are loaded while the page is idle, and open without the server', async () => {
  const page = await demo.enter('inventory');
  await page.waitForResponse(/\/assets\/keys-/);
  await page.route(ofServer, (route) => route.abort());
  await page.getByRole('link', { name: 'Key Store' }).click();
  await page.getByRole('heading', { level: 1, name: 'Key Store' }).waitFor();
});

test('an outline of the frame is there before the first script', async () => {
  const page = await demo.enter('history');
  await page.route('**/assets/*.js', (route) =>
    route.request().url().includes('/theme-') ? route.continue() : route.abort(),
  );
  await page.goto(demo.url('history'));
  const drawing = () =>
    page.locator('#root').evaluate((root) => getComputedStyle(root).backgroundImage);
  await expect.poll(drawing).toContain('linear-gradient');
  await page.unroute('**/assets/*.js');
  await page.reload();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  expect(await drawing()).toBe('none');
});

test('a status that the page does not know is named, and the rest of the page is there', async () => {
  const template = await addProgram(demo, 'Odd', 'echo done\n');
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'success');
  const page = await console.enter();
  await page.route(`**${demo.api('tasks')}?*`, async (route) => {
    const response = await route.fetch();
    const tasks = (await response.json()) as { id: number }[];
    const json = tasks.map((task) => (task.id === id ? { ...task, status: 'paused' } : task));
    await route.fulfill({ response, json });
  });
  await page.goto(demo.url('history'));
  const row = page.getByRole('row').filter({ hasText: `#${id}` });
  await row.getByText('Unknown status “paused”').waitFor();
  await row.getByRole('link', { name: 'Odd' }).waitFor();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('a project keeps its colour, and an administrator has a badge', async () => {
  await console.call('POST', '/api/projects', { name: `A first one ${demo.name}` });
  const page = await demo.enter('history');
  await page.getByRole('button', { name: 'Choose a project' }).click();
  const items = page.getByRole('menuitem').filter({ has: page.locator('[data-tone]') });
  await items.first().waitFor();
  const found = await items.evaluateAll((all) =>
    all.map((item) => [
      Number(item.getAttribute('href')?.split('/').at(-1)),
      item.querySelector('[data-tone]')?.getAttribute('data-tone'),
    ]),
  );
  const colours = ['red', 'blue', 'orange', 'green'];
  expect(found).toEqual(found.map(([id]) => [id, colours[(Number(id) - 1) % 4]]));
  expect(found.length).toBeGreaterThan(1);
  await page.keyboard.press('Escape');
  const menu = page.getByRole('button', { name: 'Administrator Admin', exact: true });
  await menu.getByText('Admin', { exact: true }).waitFor();
});

test('providers have their icons, and are given the query string', async () => {
  const page = await console.open(null);
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({
      json: {
        login_with_password: true,
        oidc_providers: [
          { id: 'hub', name: 'Hub', color: '#1f6feb', icon: 'mdi-github' },
          { id: 'own', name: 'Own', color: 'teal', icon: 'station' },
          { id: 'plain', name: 'Plain', color: 'gray', icon: '' },
        ],
      },
    }),
  );
  await page.goto(`${console.server.address}/auth/login?t=5&error=identity.refused&local`);
  const icons = page.getByRole('link').locator('[data-icon]');
  await expect
    .poll(() => icons.evaluateAll((all) => all.map((icon) => icon.getAttribute('data-icon'))))
    .toEqual(['github', 'other']);
  const addresses = await page
    .getByRole('link', { name: /Hub|Own|Plain/ })
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(addresses).toEqual(['hub', 'own', 'plain'].map((id) => `/api/auth/oidc/${id}/login?t=5`));
  await expectAccessible(page);
});

test('a project that is no normal one shows its dashboard and its team only, and keeps its type', async () => {
  const body = { name: `Modules ${demo.name}`, type: 'terraform_registry' };
  const { id } = await console.call<{ id: number }>('POST', '/api/projects', body);
  const page = await console.enter();
  await page.goto(`${console.server.address}/project/${id}`);
  await page.waitForURL(`**/project/${id}/activity`);
  const entries = page.getByRole('navigation', { name: 'Project' }).getByRole('link');
  await expect
    .poll(() => entries.allInnerTexts())
    .toEqual(['Home', 'Dashboard', 'Team', 'Settings', 'Administration']);
  expect(await page.getByRole('link', { name: 'History', exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Max number of parallel tasks').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Project ${body.name} saved`).waitFor();
  const saved = await console.call('GET', `/api/project/${id}`);
  expect(saved).toMatchObject({ type: 'terraform_registry', max_parallel_tasks: 2 });
  await page.goto(demo.url('history'));
  await expect.poll(() => entries.count()).toBe(16);
});
