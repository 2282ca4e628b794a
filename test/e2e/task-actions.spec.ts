// What people do with a task from its log: real runs of Ansible, and a script where the exact
// moment matters.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  callApi,
  openDemo,
  expectAccessible,
  expectNoComplaints,
  shownLines,
  useConsole,
} from '../helpers/console.ts';
import { addProgram, launchTask, readTask, untilTask } from '../helpers/console-tasks.ts';
import { commitFiles } from '../helpers/seed.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();

/** Somebody who has signed in. */
async function open(options: Parameters<typeof console.open>[1] = {}): Promise<Page> {
  const page = await openDemo(console, options);
  return page;
}

const goTo = (page: Page, path: string) => page.goto(`${console.server.address}${path}`);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The task that the dialog shows. */
async function shownTask(page: Page): Promise<number> {
  await page.waitForURL(/[?&]t=\d+/);
  return Number(new URL(page.url()).searchParams.get('t'));
}

test('a build is run, deployed after a confirmation, and a second deploy rejected', async () => {
  const page = await open();
  await goTo(page, '/project/1/templates');
  await page.getByRole('button', { name: 'Build 5. Build the timetable' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Build', exact: true }).click();
  const build = await shownTask(page);
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText('1.0.0', { exact: true }).waitFor();
  const { commit_hash: hash, commit_message: message } = await readTask(page, build);
  await dialog.getByText(String(hash).slice(0, 8), { exact: true }).waitFor();
  await dialog.getByText(message, { exact: true }).waitFor();
  // What Ansible printed has an outline.
  await dialog.locator('[data-section=task]').first().waitFor();

  for (const [answer, end] of [
    ['Confirm', 'Success'],
    ['Reject', 'Stopped'],
  ] as const) {
    await goTo(page, '/project/1/templates');
    await page.getByRole('button', { name: 'Deploy 6. Hang up the timetable' }).click();
    await dialog.getByLabel('Build version').click();
    await page.getByRole('option', { name: /1\.0\.0/ }).click();
    await dialog.getByRole('button', { name: 'Deploy', exact: true }).click();
    const deploy = await shownTask(page);
    await dialog.getByText('Please confirm this task.').waitFor();
    expect(await button(page, 'Stop').count()).toBe(0);
    await expectAccessible(page);
    // The status is told to those who cannot see it.
    const told = dialog.getByRole('status').filter({ hasText: `Task #${deploy}` });
    await expect.poll(() => told.textContent()).toBe(`Task #${deploy}: Waiting for confirmation`);
    await dialog.getByRole('button', { name: answer, exact: true }).press('Enter');
    await dialog.getByText(end, { exact: true }).waitFor();
    await until(async () => (await told.textContent()) === `Task #${deploy}: ${end}`);
    // It leads to the build whose version it has.
    await expect
      .poll(() => dialog.getByRole('link', { name: '1.0.0' }).getAttribute('href'))
      .toContain(`t=${build}`);
  }
  expectNoComplaints();
});

test('a task is run again from its page, on the same commit, and opens on a page too', async () => {
  const page = await open();
  const name = 'Quick';
  const { id } = await launchTask(page, await addProgram(console, page, name, 'echo done\n'));
  const { commit_hash: hash } = await untilTask(page, id, 'success');
  const repository = join(console.server.dataDir, 'repositories', name);
  await commitFiles(repository, { 'play.sh': 'echo done otherwise\n' });
  await goTo(page, `/project/1/tasks/${id}`);
  await page.getByRole('button', { name: `Re-run task #${id}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Same as before/).click();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(`**/project/1/tasks/${id + 1}`);
  await page.getByText('Success', { exact: true }).waitFor();
  expect((await readTask(page, id + 1)).commit_hash).toBe(hash);
  await goTo(page, '/project/1/tasks/99999');
  await page.getByText('This task does not exist in this project.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'History' }).last().click();
  await page.waitForURL('**/project/1/history');
  expectNoComplaints();
});

/** Prints some lines, waits for a file, prints more, and does not let itself be stopped. */
const stubborn = (gate: string): string => `
trap 'echo not yet' TERM
for line in $(seq 300); do echo "early $line"; done
until [ -e '${gate}' ]; do sleep 0.1; done
for line in $(seq 150); do echo "late $line"; done
while :; do sleep 0.2; done
`;

test('what arrives meanwhile is counted, and a task that will not stop is ended at once', async () => {
  const page = await open();
  const gate = join(console.server.dataDir, 'gate');
  const template = await addProgram(console, page, 'Stubborn', stubborn(gate));
  const { id } = await launchTask(page, template);
  await goTo(page, `/project/1/history?t=${id}`);
  const log = page.getByRole('log');
  const end = async (): Promise<string> => (await shownLines(page)).at(-1)?.text ?? '';
  await until(async () => (await end()) === 'early 300');
  await log.press('Home');
  const jump = page.getByRole('button', { name: /^Jump to end and follow/ });
  await jump.waitFor();
  await expect.poll(() => jump.textContent()).toBe('Jump to end and follow');
  await writeFile(gate, '');
  await until(async () => (await jump.textContent())?.endsWith('150 new lines'));
  expect((await shownLines(page))[0]?.number).toBe(1);
  await jump.press('Enter');
  await until(async () => (await end()) === 'late 150');
  await jump.waitFor({ state: 'detached' });

  await button(page, 'Stop').press('Enter');
  await until(async () => (await end()) === 'not yet');
  await button(page, 'Force stop').click();
  const question = page.getByRole('dialog', { name: `Force stop task #${id}` });
  await question.waitFor();
  // Escape closes the question and not the log below it.
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect((await readTask(page, id)).status).toBe('stopping');
  await button(page, 'Force stop').click();
  await question.getByRole('button', { name: 'Force stop' }).click();
  await page.getByRole('dialog').getByText('Stopped', { exact: true }).waitFor();
  expect((await readTask(page, id)).status).toBe('stopped');
  expectNoComplaints();
});

test('a waiting task says why, and a guest may look but not act', async () => {
  const page = await open();
  const template = await addProgram(console, page, 'Slow', 'echo begun; sleep 600\n');
  const first = await launchTask(page, template);
  const second = await launchTask(page, template, { message: 'Once more' });
  await untilTask(page, first.id, 'running');
  await goTo(page, `/project/1/tasks/${second.id}`);
  await page.getByText(`Waits for task #${first.id} of the same template.`).waitFor();
  await page.getByText('Once more').waitFor();

  const account = { name: 'Guest', username: 'guest', email: 'guest@example.com' };
  const password = 'a password for somebody';
  const { id } = await callApi<{ id: number }>(page, 'post', '/api/users', {
    ...account,
    password,
  });
  await callApi(page, 'post', '/api/project/1/users', { user_id: id, role: 'guest' });
  const guest = await console.open(`/project/1/tasks/${first.id}`, { colorScheme: 'dark' });
  await console.signIn(guest, account.username, password);
  await guest.getByText('begun').waitFor();
  await button(guest, 'Stop').focus();
  await guest.keyboard.press('Enter');
  await expect.poll(() => button(guest, 'Stop').getAttribute('aria-disabled')).toBe('true');
  await guest.getByRole('tooltip', { name: 'You have read-only access' }).waitFor();
  await expectAccessible(guest);
  expect((await readTask(page, first.id)).status).toBe('running');

  await goTo(page, `/project/1/tasks/${first.id}`);
  for (const task of [second, first]) {
    await callApi(page, 'post', `/api/project/1/tasks/${task.id}/stop`, { force: true });
  }
  // Both see it without asking again.
  await guest.getByText('Stopped', { exact: true }).waitFor();
  await page.getByText('Stopped', { exact: true }).waitFor();
  expectNoComplaints();
});
