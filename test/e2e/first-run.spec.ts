// The main job, as people do it who have just started the server for the first time.

import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { callApi, expectAccessibleInBoth, shownLines, useOwnConsole } from '../helpers/console.ts';
import { demoOf } from '../helpers/demo.ts';
import { holdDemo } from '../helpers/held-demo.ts';
import { until } from '../helpers/until.ts';

// This file has a server of its own, on which there is nothing yet.
const console = useOwnConsole();
const { open, signIn } = console;

test('a newcomer signs in, creates the demo project, runs it and watches it turn green', async () => {
  const page = await open('/', { isNew: true });
  await page.waitForURL('**/auth/login');
  await signIn(page, 'admin', 'not the password');
  await page.getByText('Incorrect login or password').waitFor();
  await signIn(page);
  await page.waitForURL('**/project/new');
  await page.getByRole('button', { name: 'Create Demo Project' }).click();
  await page.waitForURL('**/project/1/templates');
  await page.getByRole('link', { name: '1. Say hello' }).waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Run a template' }).waitFor();
  await expectAccessibleInBoth(page);
  const letGo = await holdDemo(
    demoOf(
      console,
      () => ({ id: 1, name: 'Demo' }),
      () => [],
    ),
  );
  await page.getByRole('link', { name: 'Task Templates' }).click();
  await page.getByRole('button', { name: 'Run 1. Say hello' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL('**/project/1/templates?t=1');

  await dialog.getByText('North Yard: the line is clear').waitFor();
  const early = await callApi<Task>(page, 'get', '/api/project/1/tasks/1');
  expect(early.status).toBe('running');
  await expect.poll(() => dialog.getByText('Running', { exact: true }).count()).toBe(1);
  expect(await dialog.getByText('Everything runs on time').count()).toBe(0);

  await letGo();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText('Everything runs on time').waitFor();
  const { log_lines: total } = await callApi<Task>(page, 'get', '/api/project/1/tasks/1');
  const shown = await until(async () => {
    const lines = await shownLines(page);
    return lines.at(-1)?.number === total && lines;
  });
  expect(shown.map(({ number }) => number)).toEqual(shown.map((_, index) => index + 1));

  await page.keyboard.press('Escape');
  await page.waitForURL('**/project/1/templates');
  await page
    .getByRole('row', { name: /Say hello/ })
    .getByText('Success')
    .waitFor();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('row', { name: /#1/ }).getByText('Success').waitFor();
});

test('an address without a page leads back', async () => {
  const page = await console.enter();
  await page.goto(`${console.server.address}/nothing-here`);
  await page.getByText('Page not found').waitFor();
  await expectAccessibleInBoth(page);
});

test('a project of their own begins with its name, and shows each step to its first template', async () => {
  const page = await console.enter();
  await page.goto(`${console.server.address}/account`);
  await page.getByRole('button', { name: 'Choose a project' }).click();
  await page.getByRole('menuitem', { name: 'New project' }).click();
  await page.waitForURL('**/project/new');
  const name = page.getByLabel('Project name');
  await until(() => name.evaluate((input) => input === document.activeElement));
  await page.keyboard.type('My infrastructure');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/project\/\d+\/templates$/);
  const steps = page.url();
  await page.getByText('No task templates yet').waitFor();

  await page.getByRole('button', { name: 'Add a repository' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Playbooks');
  await dialog.getByLabel('Git URL').fill('/etc/playbooks');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('SIGNALBOX_LOCAL_REPOSITORIES').waitFor();
  await dialog.getByLabel('Git URL').fill('https://git.example.com/playbooks.git');
  await dialog.getByLabel('Branch').fill('main');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toBe(steps);
  await page.getByText('Repository', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Add a repository' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Set up your first template' }).click();
  await page.waitForURL(steps);
  await page.getByRole('button', { name: 'Add an inventory' }).waitFor();
  await expectAccessibleInBoth(page);
});
