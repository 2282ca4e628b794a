// Slow: a second browser signs in for each role.
// The page of all projects: what waits, failed and runs, and the templates that somebody has pinned.

import { expect, test } from 'vitest';
import { expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { addHeld, addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

test('a failure and a pinned template are one click away from all projects', async () => {
  const { id: other } = await call<{ id: number }>('POST', '/api/projects', { name: 'Other' });
  const failing = await addProgram(demo, 'Unlucky', 'exit 3\n');
  const page = await demo.enter(`templates/${failing}`);
  await page.getByRole('button', { name: 'Pin to Home' }).click();
  await page.getByRole('button', { name: 'Unpin from Home' }).waitFor();

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.waitForURL('**/overview');
  const pins = page.getByRole('table', { name: 'Pinned templates' });
  await pins.getByRole('link', { name: 'Unlucky', exact: true }).waitFor();
  await pins.getByText('Never run').waitFor();

  // The page follows what happens in projects that are not open.
  const task = await untilTask(demo, (await launchTask(demo, failing)).id, 'error');
  const failed = page.getByRole('table', { name: 'Failed in the last 7 days' });
  const link = failed.getByRole('link', { name: `#${task.id} Unlucky` });
  await link.waitFor();
  await pins.getByText('Failed').waitFor();
  await expectAccessibleInBoth(page);
  await link.click();
  await page.waitForURL(`**${demo.path(`tasks/${task.id}`)}`);

  await page.goto(`${console.server.address}/overview`);
  await pins.getByRole('link', { name: 'Run Unlucky' }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForURL(`**${demo.path(`templates/${failing}`)}?run=${failing}`);

  // The palette of another project finds the template, and runs it too.
  await page.goto(`${console.server.address}/project/${other}/history`);
  await page.getByRole('button', { name: /Go to…/ }).click();
  const search = page.getByPlaceholder('Go to a screen, template or project');
  await search.fill('run unlucky');
  await page.getByRole('button', { name: /^Run Unlucky/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${demo.path(`templates/${failing}`)}?run=${failing}`);
  await call('DELETE', `/api/project/${other}`);
});

test('a guest of one project sees its failures on a narrow screen, and nothing of others', async () => {
  const failing = await addProgram(demo, 'Broken', 'exit 4\n');
  const task = await untilTask(demo, (await launchTask(demo, failing)).id, 'error');
  const page = await openAs(console, demo, 'guest', { viewport: { width: 360, height: 800 } });
  await page.goto(`${console.server.address}/overview`);
  const failed = page.getByRole('table', { name: 'Failed in the last 7 days' });
  await failed.getByRole('link', { name: `#${task.id} Broken` }).waitFor();
  const rows = await failed.getByRole('row').allInnerTexts();
  const own = await call<{ name: string }>('GET', demo.api(''));
  expect(rows.slice(1).every((row) => row.includes(own.name))).toBe(true);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

test('what waits is counted in the sidebar, and confirmed at home', async () => {
  const { id } = await launchTask(demo, await addHeld(demo));
  await untilTask(demo, id, 'waiting_confirmation');
  const page = await demo.enter('history');
  await page.getByRole('link', { name: /^Home Waiting for you: \d+$/ }).click();
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await expectAccessibleInBoth(page);
  const confirm = waiting.getByRole('button', { name: `Confirm #${id} ` });
  await confirm.click();
  await confirm.waitFor({ state: 'hidden' });
  await untilTask(demo, id, 'success');

  const projects = page.getByRole('region', { name: 'Projects' });
  const own = await call<{ name: string }>('GET', demo.api(''));
  const card = projects.getByRole('listitem').filter({ hasText: own.name });
  const bars = card.getByRole('group', { name: 'Runs of the last 14 days' }).getByRole('link');
  expect(await bars.count()).toBe(1);
  await bars.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const today = new Date().toISOString().slice(0, 10);
  await page.waitForURL(`**${demo.path('history')}?from=${today}&to=${today}`);
});
