// What people do with a task from its log: real runs of Ansible, and a script where the exact
// moment matters.
// Slow: runs of Ansible are started, stopped and confirmed in the browser.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { expectAccessible, follow, shownLines, useConsole } from '../helpers/console.ts';
import { addProgram, codeOf, launchTask, readTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';
import { holdDemo } from '../helpers/held-demo.ts';
import { commitFiles } from '../helpers/seed.ts';

const console = useConsole();
const { call, enter } = console;
const demo = useDemo(console);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The id of the task that the dialog shows. */
async function shownTask(page: Page): Promise<number> {
  await page.waitForURL(/[?&]t=\d+/);
  return Number(new URL(page.url()).searchParams.get('t'));
}

test('a build is run, deployed after a confirmation, and other deploys rejected or stopped', async () => {
  const page = await enter();
  await page.goto(demo.url('templates'));
  await page.getByRole('button', { name: 'Build 5. Build the timetable' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Build', exact: true }).click();
  const build = await shownTask(page);
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText('1.0.0', { exact: true }).waitFor();
  await dialog.getByText('Timetable 1.0.0 is printed.').waitFor();
  const { commit_hash: hash, commit_message: message } = await readTask(demo, build);
  await dialog.getByText(String(hash).slice(0, 8), { exact: true }).waitFor();
  await dialog.getByText(message, { exact: true }).waitFor();
  // The output of Ansible has an outline.
  await dialog.locator('[data-section=task]').first().waitFor();

  for (const [answer, end] of [
    ['Confirm', 'Success'],
    ['Reject', 'Stopped'],
    ['Stop', 'Stopped'],
  ] as const) {
    await follow(page, demo.url('templates'));
    await page.getByRole('button', { name: 'Deploy 6. Hang up the timetable' }).click();
    await expect.poll(() => dialog.getByLabel('Build version').inputValue()).toBe('1.0.0');
    await dialog.getByLabel('Build version').click();
    await page.getByRole('option', { name: /1\.0\.0/ }).click();
    await dialog.getByRole('button', { name: 'Deploy', exact: true }).click();
    const deploy = await shownTask(page);
    await dialog.getByText('Check what this task will do, then confirm or reject it.').waitFor();
    // A screen reader is told the status.
    const done = dialog.getByText('Timetable 1.0.0 hangs at localhost.');
    expect(await done.count()).toBe(0);
    const told = dialog.getByRole('status').filter({ hasText: `Task #${deploy}` });
    await expect.poll(() => told.textContent()).toBe(`Task #${deploy}: Waiting for confirmation`);
    await dialog.getByRole('button', { name: answer, exact: true }).press('Enter');
    if (answer === 'Stop') {
      await page.getByRole('dialog', { name: `Stop task #${deploy}?` }).waitFor();
      await page.keyboard.press('Enter');
    }
    await dialog.getByText(end, { exact: true }).waitFor();
    await expect.poll(() => told.textContent()).toBe(`Task #${deploy}: ${end}`);
    await expect.poll(() => done.count()).toBe(answer === 'Confirm' ? 1 : 0);
    // The link leads to the build whose version the deploy has.
    await expect
      .poll(() => dialog.getByRole('link', { name: '1.0.0' }).getAttribute('href'))
      .toContain(`t=${build}`);
  }
});

test('a task is run again from its page, on the same commit, and opens on a page too', async () => {
  const page = await enter();
  const name = 'Quick';
  const { id } = await launchTask(demo, await addProgram(demo, name, 'echo done\n'));
  const { commit_hash: hash } = await untilTask(demo, id, 'success');
  await commitFiles(codeOf(demo, name), { 'play.sh': 'echo done otherwise\n' });
  await page.goto(demo.url(`tasks/${id}`));
  await page.getByRole('button', { name: `Re-run task #${id}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Same as before/).click();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(({ href }) => href !== demo.url(`tasks/${id}`));
  await page.getByText('Success', { exact: true }).waitFor();
  const [again] = await call<Task[]>('GET', demo.api('tasks'));
  expect(page.url()).toBe(demo.url(`tasks/${again?.id}`));
  expect(again?.commit_hash).toBe(hash);
  await follow(page, demo.url('tasks/99999'));
  await page.getByText('This task does not exist in this project.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'History' }).last().click();
  await page.waitForURL(`**${demo.path('history')}`);
});

test('a running task is stopped from its log', async () => {
  await holdDemo(demo);
  const task = await launchTask(demo, demo.template(1));
  const page = await enter();
  await page.goto(demo.url(`history?t=${task.id}`));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('North Yard: the line is clear').waitFor();
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Stop task #${task.id}?` });
  await question.getByText('Changes made so far stay.').waitFor();
  expect((await readTask(demo, task.id)).status).toBe('running');
  await question.getByRole('button', { name: 'Stop', exact: true }).click();
  await dialog.getByText('Stopped', { exact: true }).waitFor();
  await dialog.getByText('Stopped.', { exact: true }).waitFor();
  expect((await readTask(demo, task.id)).status).toBe('stopped');
});

/**
 * A script that prints some lines, waits for a file, prints more, and cannot be stopped politely.
 */
const stubborn = (gate: string): string => `
trap 'echo not yet' TERM
for line in $(seq 300); do echo "early $line"; done
until [ -e '${gate}' ]; do sleep 0.1; done
for line in $(seq 150); do echo "late $line"; done
while :; do sleep 0.2; done
`;

test('what arrives meanwhile is counted, and a task that will not stop is ended at once', async () => {
  const page = await enter();
  const gate = join(console.server.dataDir, demo.only('gate'));
  const template = await addProgram(demo, 'Stubborn', stubborn(gate));
  const { id } = await launchTask(demo, template);
  await page.goto(demo.url(`history?t=${id}`));
  const log = page.getByRole('log');
  await log.getByText('early 300', { exact: true }).waitFor();
  await log.press('Home');
  const jump = page.getByRole('button', { name: /^Jump to end and follow/ });
  await jump.waitFor();
  await expect.poll(() => jump.textContent()).toBe('Jump to end and follow');
  await writeFile(gate, '');
  await jump.filter({ hasText: /150 new lines$/ }).waitFor();
  expect((await shownLines(page))[0]?.number).toBe(1);
  await jump.press('Enter');
  await log.getByText('late 150', { exact: true }).waitFor();
  await jump.waitFor({ state: 'detached' });

  await button(page, 'Stop').press('Enter');
  await page.getByRole('dialog', { name: `Stop task #${id}?` }).waitFor();
  // The button that confirms has the focus.
  await page.keyboard.press('Enter');
  await log.getByText('not yet', { exact: true }).waitFor();
  await button(page, 'Force stop').click();
  const question = page.getByRole('dialog', { name: `Force stop task #${id}?` });
  await question.waitFor();
  // Escape closes the question and not the log below it.
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect((await readTask(demo, id)).status).toBe('stopping');
  await button(page, 'Force stop').click();
  await question.getByRole('button', { name: 'Force stop' }).click();
  await page.getByRole('dialog').getByText('Stopped', { exact: true }).waitFor();
  expect((await readTask(demo, id)).status).toBe('stopped');
});

test('a waiting task says why, and a guest may look but not act', async () => {
  const page = await enter();
  const template = await addProgram(demo, 'Slow', 'echo begun; sleep 600\n');
  const first = await launchTask(demo, template);
  const second = await launchTask(demo, template, { message: 'Once more' });
  await untilTask(demo, first.id, 'running');
  await page.goto(demo.url(`tasks/${second.id}`));
  await page.getByText(`Waiting for task #${first.id} of the same template.`).waitFor();
  await page.getByText('Once more').waitFor();

  const guest = await openAs(console, demo, 'guest', { colorScheme: 'dark' });
  await guest.goto(demo.url(`tasks/${first.id}`));
  await guest.getByText('begun').waitFor();
  await button(guest, 'Stop').focus();
  await guest.keyboard.press('Enter');
  await expect.poll(() => button(guest, 'Stop').getAttribute('aria-disabled')).toBe('true');
  await guest.getByRole('tooltip', { name: 'You have read-only access' }).waitFor();
  await expectAccessible(guest);
  expect((await readTask(demo, first.id)).status).toBe('running');

  await follow(page, demo.url(`tasks/${first.id}`));
  await page.getByRole('heading', { name: `Task #${first.id}` }).waitFor();
  for (const task of [second, first]) {
    await call('POST', demo.api(`tasks/${task.id}/stop`), { force: true });
  }
  // Both people see the change without loading the page again.
  await guest.getByText('Stopped', { exact: true }).waitFor();
  await page.getByText('Stopped', { exact: true }).waitFor();
});
