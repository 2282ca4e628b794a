// Workflows between the templates of a project: in one list, its views, its search and its filters.
// Slow: one list, at all sizes and in both themes.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { View } from '#shared/api/views.ts';
import type { Workflow } from '#shared/api/workflows.ts';
import {
  expectAccessibleAtAllSizes,
  expectAccessibleInBoth,
  useConsole,
} from '../helpers/console.ts';
import { choose } from '../helpers/console-project.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const approval = {
  type: 'approval',
  key: 'ask',
  name: 'Ask',
  question: 'Go on?',
  roles: ['owner'],
};

const addWorkflow = (name: string, fields: object = {}): Promise<Workflow> =>
  call('POST', demo.api('workflows'), { name, graph: { nodes: [approval] }, ...fields });

const row = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

/** The names in the list, in its order. */
const names = (page: Page): Promise<string[]> =>
  page
    .getByRole('table', { name: 'Task Templates' })
    .locator('tbody td[data-wide] a')
    .allInnerTexts();

test('workflows stand between the templates, in their order, and are launched there', async () => {
  await addWorkflow('2a. Ask somebody', { description: 'Waits for an owner' });
  const page = await demo.enter('templates');
  await row(page, '2a. Ask somebody').waitFor();
  expect(await names(page)).toEqual([
    '1. Say hello',
    '2. Look at the server',
    '2a. Ask somebody',
    '3. Announce a train',
    '4. Open the vault',
    '5. Build the timetable',
    '6. Hang up the timetable',
    '7. Hang up the timetable at once',
    '8. Change the timetable',
  ]);
  const asking = row(page, '2a. Ask somebody');
  await asking.getByText('Workflow', { exact: true }).waitFor({ state: 'attached' });
  await asking.getByText('Waits for an owner').waitFor();
  await asking.getByText('Never run').waitFor();
  await expectAccessibleAtAllSizes(page);

  await asking.getByRole('button', { name: 'Run 2a. Ask somebody' }).click();
  const dialog = page.getByRole('dialog', { name: '2a. Ask somebody › New run' });
  await dialog.getByRole('textbox', { name: 'Message' }).waitFor();
  await expectAccessibleAtAllSizes(page);
  // The message has the focus, and Enter launches.
  await page.keyboard.type('Release 1.4');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.getByText('Release 1.4').waitFor();
  // The list of somebody else follows by itself.
  const other = await openAs(console, demo, 'task_runner');
  await other.goto(demo.url('templates'));
  await row(other, '2a. Ask somebody').getByText('Waiting for approval').waitFor();
  await row(other, '2a. Ask somebody').getByText('by Administrator').waitFor();
  await expectAccessibleInBoth(other);
  await other.goto(demo.url('templates?status=waiting_confirmation'));
  await expect.poll(() => names(other)).toEqual(['2a. Ask somebody']);
  await page.getByRole('button', { name: 'Approve' }).click();
  await other.getByText('Nothing found').waitFor();
  await other.goto(demo.url('templates'));
  await row(other, '2a. Ask somebody').getByText('Success', { exact: true }).waitFor();
  await row(other, '2a. Ask somebody')
    .getByRole('link', { name: /^Run #\d+$/ })
    .click();
  await other.waitForURL('**/workflow_runs/*');
  await other.getByText('Release 1.4').waitFor();
});

test('an address opens the dialog that launches a workflow, for those who may', async () => {
  const { id } = await addWorkflow('By address');
  const guest = await openAs(console, demo, 'guest');
  await guest.goto(demo.url(`workflows/${id}?launch=${id}`));
  // Who may not launch is led to the address without it.
  await guest.waitForURL(`**/workflows/${id}`);
  const page = await demo.enter(`workflows/${id}?launch=${id}`);
  const dialog = page.getByRole('dialog', { name: 'By address › New run' });
  await dialog.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.waitForURL(`**/workflows/${id}`);
  await page.keyboard.press('r');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
});

test('views, search and filters are those of both; the kind stands in the address', async () => {
  const view = await call<View>('POST', demo.api('views'), { title: 'Releases' });
  const page = await demo.enter('templates');
  await page.getByRole('link', { name: 'Releases' }).click();
  await page.getByText('No templates in this view').waitFor();
  await page.getByRole('button', { name: 'More to add' }).click();
  await page.getByRole('menuitem', { name: 'New Workflow' }).click();
  const shownIn = page.getByRole('combobox', { name: 'View' });
  await expect.poll(() => shownIn.inputValue()).toBe('Releases');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Weekly release');
  await page
    .getByRole('group', { name: 'Add a node' })
    .getByRole('button', { name: 'Wait' })
    .click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Workflow Weekly release created').waitFor();
  await page.goto(demo.url(`views/${view.id}/templates`));
  await expect.poll(() => names(page)).toEqual(['Weekly release']);
  await expectAccessibleAtAllSizes(page);

  // It leaves the view by its form, as a template does.
  await row(page, 'Weekly release')
    .getByRole('button', { name: /^More actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Clear: View' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Workflow Weekly release saved').waitFor();
  await page.goto(demo.url(`views/${view.id}/templates`));
  await page.getByText('No templates in this view').waitFor();

  await page.goto(demo.url('templates?q=weekly'));
  await expect.poll(() => names(page)).toEqual(['Weekly release']);
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await page.goto(demo.url('templates?kind=template'));
  await expect.poll(async () => (await names(page)).length).toBe(7);
  await choose(page.locator('body'), 'Kind', 'Workflow');
  await page.waitForURL('**/templates?kind=workflow');
  await expect.poll(() => names(page)).toContain('Weekly release');
  expect(await names(page)).not.toContain('1. Say hello');
  await expectAccessibleAtAllSizes(page);

  await row(page, 'Weekly release')
    .getByRole('button', { name: /^More actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Workflow Weekly release deleted').waitFor();
  await row(page, 'Weekly release').waitFor({ state: 'hidden' });
});
