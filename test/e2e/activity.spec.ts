// Slow: the activity of a project is seldom opened.
// What happened in a project, who did it, when, and through which client.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { launchTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { contentOf } from '../helpers/download.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const demo = useDemo(console);

const rows = (page: Page) => page.getByRole('table', { name: 'Activity' }).getByRole('row');
const addKey = (name: string) => demo.call('POST', demo.api('keys'), { name, type: 'none' });

test('an owner finds, follows and exports what happened', async () => {
  for (let count = 1; count <= 25; count += 1) await addKey(`Key ${count}`);
  const task = await launchTask(demo, demo.template(1));
  const page = await demo.enter('activity');
  await until(async () => (await rows(page).count()) === 21);
  await rows(page).filter({ hasText: 'Key "Key 25" created' }).waitFor();
  await addKey('The newest key');
  await rows(page).nth(1).filter({ hasText: 'The newest key' }).waitFor();

  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/before=\.\d+/);
  await rows(page).filter({ hasText: 'Key "Key 1" created' }).waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();

  await page.getByRole('combobox', { name: 'What' }).fill('task');
  await page.getByRole('option', { name: 'Task #… of "…" started' }).click();
  await page.waitForURL('**/activity?code=task.started');
  const started = rows(page).filter({ hasText: 'of "1. Say hello" started' });
  await started.getByRole('link').click();
  await page.waitForURL(`**t=${task.id}`);
  await page.getByRole('dialog').getByText(`Task #${task.id}`, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByRole('combobox', { name: 'Object' }).click();
  await page.getByRole('option', { name: 'Templates', exact: true }).click();
  await page.waitForURL('**/activity?type=template');
  const template = page.getByRole('link', { name: '1. Say hello' });
  await expect
    .poll(() => template.getAttribute('href'))
    .toBe(demo.path(`templates/${demo.template(1)}`));
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
  const text = await contentOf(await download);
  expect(text.split('\r\n')[0]).toMatch(/^id,created,code,/);
  expect(text).toContain('template.created');
  expect(text).not.toContain('key.created');

  // Nothing can have happened on this day.
  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await page.getByText('Nothing matches').waitFor();
  await page.waitForURL(/to=2001-01-01/);
  await expectAccessible(page);
});
