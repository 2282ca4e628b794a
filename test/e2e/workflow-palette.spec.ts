// Workflows in the command palette: opened, and launched by those who may.
// Slow: the palette launches what other tests launch by their buttons.

import { expect, test } from 'vitest';
import type { Workflow } from '#shared/api/workflows.ts';
import { useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const demo = useDemo(console);

test('the palette opens a workflow, and launches it for those who may', async () => {
  const name = demo.only('Nightly round');
  const nodes = [{ type: 'wait', key: 'wait', name: 'Wait', seconds: 1 }];
  const { id } = await demo.call<Workflow>('POST', demo.api('workflows'), {
    name,
    graph: { nodes },
  });
  const page = await demo.enter('history');
  await page.getByRole('button', { name: /Go to…/ }).click();
  const search = page.getByPlaceholder('Go to a screen, template or project');
  await search.fill('nightly');
  await page.getByRole('button', { name, exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${demo.path(`workflows/${id}`)}`);

  await page.getByRole('button', { name: /Go to…/ }).click();
  await search.fill('run nightly');
  await page.getByRole('button', { name: `Run ${name}`, exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Message' }).fill('By the palette');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/workflow_runs\/\d+/);
  await page.getByText('By the palette').waitFor();

  const guest = await openAs(console, demo, 'guest');
  await guest.goto(demo.url('history'));
  await guest.getByRole('button', { name: /Go to…/ }).click();
  await guest.getByPlaceholder('Go to a screen, template or project').fill('nightly');
  await guest.getByRole('button', { name, exact: true }).waitFor();
  expect(await guest.getByRole('button', { name: `Run ${name}` }).count()).toBe(0);
});
