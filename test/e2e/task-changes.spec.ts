// What has changed since a template last worked, on the page of a task.
// Slow: three runs are compared, in both themes and at all sizes.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  expectAccessibleAtAllSizes,
  expectAccessibleInBoth,
  useConsole,
} from '../helpers/console.ts';
import { addProgram, codeOf, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { commitFiles } from '../helpers/seed.ts';

const console = useConsole();
const demo = useDemo(console);

const box = (page: Page) => page.locator('details', { hasText: 'Changed since' });

test('a failed task names the most likely change, and all of them when it is opened', async () => {
  const { call, api } = demo;
  const variables = { name: 'Depot variables', json: '{"track":"3"}', env: '{}' };
  const environment = await call<{ id: number }>('POST', api('environment'), variables);
  const fields = { environment_id: environment.id, allow_override_limit_in_task: true };
  const template = await addProgram(demo, 'Depot', 'echo done\n', fields);
  const good = await launchTask(demo, template);
  await untilTask(demo, good.id, 'success');
  const again = await launchTask(demo, template);
  await untilTask(demo, again.id, 'success');
  await commitFiles(codeOf(demo, 'Depot'), { 'play.sh': 'exit 3\n' }, 'Leave the depot at once');
  const secrets = [
    { operation: 'create', type: 'var', name: 'gate', secret: 'a-canary-of-the-gate' },
  ];
  await call('PUT', api(`environment/${environment.id}`), {
    ...variables,
    json: '{"track":"4"}',
    secrets,
  });
  const bad = await launchTask(demo, template);
  await untilTask(demo, bad.id, 'error');

  const page = await demo.enter(`tasks/${bad.id}`);
  const summary = box(page).locator('summary');
  await summary.getByText(`Changed since task #${again.id} succeeded`).waitFor();
  await summary.getByText('New commits: 1').waitFor();
  await summary.getByText('Leave the depot at once').waitFor();
  await summary.getByText('Further changes: 2').waitFor();
  await summary.focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: `Changed since task #${again.id} succeeded` });
  await list.getByText('Leave the depot at once').waitFor();
  const items = list.locator(':scope > li');
  await expect.poll(() => items.count()).toBe(3);
  await expect.poll(() => items.nth(1).innerText()).toMatch(/Variable: track\s*3\s*→\s*4/);
  await expect.poll(() => items.nth(2).innerText()).toMatch(/Secret: gate\s*new/);
  expect(await page.content()).not.toContain('a-canary-of-the-gate');
  await expectAccessibleInBoth(page);
  await expectAccessibleAtAllSizes(page);

  // Of a task that succeeded people ask for it.
  await page.goto(demo.url(`tasks/${again.id}`));
  await box(page).locator('summary').click();
  await box(page).getByText('No known changes').first().waitFor();
  await page.goto(demo.url(`tasks/${good.id}`));
  await box(page).locator('summary').click();
  await box(page).getByText('No earlier task with this inventory succeeded.').waitFor();
});
