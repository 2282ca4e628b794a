// The main job, as somebody does it who has just started the server for the first time.

import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import {
  callApi,
  openDemo,
  expectNoComplaints,
  shownLines,
  useConsole,
} from '../helpers/console.ts';
import { holdDemo } from '../helpers/held-demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { open, signIn } = console;

test('a newcomer signs in, creates the demo project, runs it and watches it turn green', async () => {
  const page = await open();
  await page.waitForURL('**/auth/login');
  await signIn(page, 'admin', 'not the password');
  await page.getByText('Incorrect login or password').waitFor();
  await signIn(page);
  await page.waitForURL('**/project/new');
  await page.getByRole('button', { name: 'Create Demo Project' }).click();
  await page.waitForURL('**/project/1/history');
  const letGo = await holdDemo(console, page);
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
  expectNoComplaints();
});

test('a running task is stopped from its log', async () => {
  const page = await openDemo(console);
  await holdDemo(console, page);
  const task = await callApi<Task>(page, 'post', '/api/project/1/tasks', { template_id: 1 });
  await page.goto(`${console.server.address}/project/1/history?t=${task.id}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('North Yard: the line is clear').waitFor();
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await dialog.getByText('Stopped', { exact: true }).waitFor();
  await dialog.getByText('Stopped.', { exact: true }).waitFor();
  expect((await callApi<Task>(page, 'get', `/api/project/1/tasks/${task.id}`)).status).toBe(
    'stopped',
  );
  expectNoComplaints();
});

test('a survey is asked, checked and handed to the playbook', async () => {
  const page = await openDemo(console);
  await page.goto(`${console.server.address}/project/1/templates`);
  await page.getByRole('button', { name: 'Run 3. Announce a train' }).click();
  const dialog = page.getByRole('dialog');
  const run = dialog.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  await dialog.getByText('Platform is required').waitFor();
  await dialog.getByLabel('Platform').fill('four');
  await run.click();
  await dialog.getByText('Platform must be integer').waitFor();
  await dialog.getByLabel('Platform').fill('4');
  await dialog.getByLabel('Destination').click();
  await page.getByRole('option', { name: 'Mill Lane' }).click();
  await run.click();
  await dialog.getByText('The train to Mill Lane leaves from platform 4.').waitFor();
  await dialog.getByText('Success', { exact: true }).waitFor();
  expectNoComplaints();
});

test('a build is deployed after somebody has confirmed it', async () => {
  const page = await openDemo(console);
  await page.goto(`${console.server.address}/project/1/templates`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Build 5. Build the timetable' }).click();
  await dialog.getByRole('button', { name: 'Build', exact: true }).click();
  await dialog.getByText('Timetable 1.0.0 is printed.').waitFor();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Deploy 6. Hang up the timetable' }).click();
  await until(async () => (await dialog.getByLabel('Build version').inputValue()) === '1.0.0');
  await dialog.getByRole('button', { name: 'Deploy', exact: true }).click();
  await dialog.getByText('Please confirm this task.').waitFor();
  expect(await dialog.getByText('hangs at localhost').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialog.getByText('Timetable 1.0.0 hangs at localhost.').waitFor();
  await dialog.getByText('Success', { exact: true }).waitFor();
  expectNoComplaints();
});
