// The head of a run: what it ran with, who or what started it, what it waits for and why it failed,
// and how people come to it and leave it.
// Slow: many runs in every state, each on a page of its own.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findCutLabels } from '../helpers/cut-labels.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { addHeld, addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call, enter } = console;
const demo = useDemo(console);

const card = (page: Page) => page.getByRole('region', { name: 'Waiting for confirmation' });

test('a task that waits for confirmation says what will happen, and lets people decide', async () => {
  const [inventory] = await call<{ id: number; name: string }[]>('GET', demo.api('inventory'));
  const fields = {
    requires_confirmation: true,
    inventory_id: inventory?.id,
    environment_id: null,
    app: 'ansible',
    limit: 'web',
    git_branch: 'main',
  };
  const template = await addProgram(demo, 'Careful', '- hosts: all\n', fields);
  const { id } = await launchTask(demo, template, { dry_run: true, diff: true, debug: true });
  await untilTask(demo, id, 'waiting_confirmation');
  const page = await enter();
  await page.goto(demo.url(`tasks/${id}`));
  await card(page).getByText(`${inventory?.name} · 1 host`).waitFor();
  await card(page).getByText('web', { exact: true }).waitFor();
  await card(page).getByText('Waits until').waitFor();
  await card(page).getByText('Administrator').waitFor();
  // What it runs with stands in the head too.
  await page.getByRole('link', { name: inventory?.name ?? '' }).waitFor();
  await page.getByText('Dry run, Diff, Debug').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  expect(await findCutLabels(page)).toEqual([]);

  const guest = await openAs(console, demo, 'guest');
  await guest.goto(demo.url(`tasks/${id}`));
  await card(guest).getByText('You have read-only access').waitFor();
  expect(
    await guest.getByText('Check what this task will do, then confirm or reject it.').count(),
  ).toBe(0);

  await card(page).getByRole('button', { name: 'Reject' }).click();
  await untilTask(demo, id, 'stopped');
  await card(page).waitFor({ state: 'detached' });
});

test('the log has the focus when a task opens, and its link has it back afterwards', async () => {
  const template = await addProgram(demo, 'Quick', 'echo done\n');
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'success');
  const page = await enter();
  await page.goto(demo.url('history'));
  const link = page.getByRole('link', { name: `#${id}`, exact: true });
  await link.press('Enter');
  await page.getByRole('dialog').getByText('done', { exact: true }).waitFor();
  const role = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
  await expect.poll(role).toBe('log');
  expect(await page.getByRole('tooltip').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);
});

test('the exact time with its zone is shown by the keyboard and by a tap', async () => {
  const page = await enter();
  await page.goto(demo.url('history'));
  const time = page.getByRole('row').locator('time').first();
  await time.waitFor();
  const exact = (await time.getAttribute('aria-description')) ?? '';
  expect(exact).toMatch(/\d{2}:\d{2}:\d{2} \S+$/);
  const tip = page.getByRole('tooltip', { name: exact });
  await page.keyboard.press('Tab');
  await time.focus();
  await tip.waitFor();
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  await time.dispatchEvent('pointerover', { pointerType: 'touch', bubbles: true });
  await tip.waitFor();
});

test('a task opens over screens that belong to no project too', async () => {
  const { id } = await launchTask(demo, await addHeld(demo));
  await untilTask(demo, id, 'waiting_confirmation');
  const page = await enter();
  for (const path of ['/users', '/project/new', '/overview']) {
    await page.goto(`${console.server.address}${path}?t=${id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Task #${id}`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  }
  await page.goto(`${console.server.address}/users?t=999999999`);
  await page.getByText('This task does not exist in this project.').first().waitFor();
  await call('POST', demo.api(`tasks/${id}/stop`));
});

test('why a run failed begins with its first error, and quotes the log from there', async () => {
  const text =
    'echo Copying\necho Hull\necho "tar: /srv: Cannot open" >&2\necho Cleaning\nexit 2\n';
  const { id } = await launchTask(demo, await addProgram(demo, 'Pack', text));
  await untilTask(demo, id, 'error');
  const page = await enter();
  await page.goto(demo.url(`tasks/${id}`));
  const why = page.getByRole('region', { name: 'Why it failed' });
  await why.locator('pre').waitFor();
  const words = (await why.innerText()).split('\n').filter(Boolean);
  const first = words.indexOf('tar: /srv: Cannot open');
  expect(first).toBeGreaterThan(0);
  expect(words[first + 1]).toContain('ended with the exit code 2');
  expect(await why.locator('pre').innerText()).toBe('tar: /srv: Cannot open\nCleaning');
});

test('names of templates that differ at their end are told apart on a phone', async () => {
  const names = ['production', 'staging'].map((place) => `Back up billing database (${place})`);
  for (const name of names) await addProgram(demo, name, 'true\n');
  const page = await enter({ viewport: { width: 360, height: 740 } });
  await page.goto(demo.url('templates'));
  for (const name of names) {
    const link = page.getByRole('link', { name, exact: true });
    await link.waitFor();
    const hidden = await link.evaluate(
      (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1,
    );
    expect([name, hidden]).toEqual([name, false]);
  }
  await expectAccessible(page);
});
