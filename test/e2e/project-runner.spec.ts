// Slow: it has a remote runner, and is looked at in both themes and on a narrow screen.
// A runner of one project, in the settings of the project, by keyboard.

import { onTestFinished, expect, test } from 'vitest';
import type { Runner } from '#shared/api/runners.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { startRemote } from '../../src/runner/remote.ts';
import { expectAccessibleAtAllSizes, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { watchedLog } from '../helpers/kept-secrets.ts';
import { folder } from '../helpers/seed.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

/** Starts a runner with the token, which registers and works until the test ends. */
async function startRunner(token: string): Promise<void> {
  const remote = { serverUrl: console.server.address, token };
  const dataDir = await folder();
  const runner = await startRemote({ ...loadConfig({}), dataDir }, remote, watchedLog());
  onTestFinished(() => runner.close());
}

test('the runner of a project is made, tagged, drained, given tasks again and removed', async () => {
  const page = await demo.enter('settings');
  const section = page.getByRole('region', { name: 'Runners of this project' });
  await section.getByRole('button', { name: 'New runner' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New runner' });
  await form.getByLabel('Name').fill('Lab');
  await form.getByLabel('Name').press('Enter');
  const shown = page.getByRole('dialog', { name: 'Set up Lab' });
  const token = await shown.getByLabel('Token', { exact: true }).innerText();
  expect(token).toMatch(/^sbr_/);
  await expectAccessibleAtAllSizes(page);
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'hidden' });
  expect(await page.getByText(token).count()).toBe(0);

  const row = section.getByRole('row').filter({ hasText: 'Lab' });
  await row.getByRole('button', { name: 'Edit the tags of Lab' }).press('Enter');
  const tags = page.getByRole('dialog', { name: 'Edit the tags of Lab' });
  await tags.getByLabel('Tags').first().fill('dmz');
  await page.keyboard.press('Enter');
  await tags.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Tags of Lab saved').waitFor();
  await startRunner(token);
  await row.getByText('Ready').waitFor();
  await row.getByRole('button', { name: 'Drain Lab' }).press('Enter');
  await row.getByText('Draining').waitFor();
  const list = (): Promise<Runner[]> => call('GET', demo.api('runners'));
  expect(await list()).toMatchObject([{ name: 'Lab', tags: ['dmz'], draining: true }]);
  await expectAccessibleAtAllSizes(page);
  await row.getByRole('button', { name: 'Resume Lab' }).press('Enter');
  await row.getByText('Ready').waitFor();
  expect(await list()).toMatchObject([{ draining: false }]);
  await row.getByRole('button', { name: 'Remove Lab' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await section.getByText('This project has no runners').waitFor();
  expect(await list()).toEqual([]);
});
