// Slow: the tasks of a whole workflow run one after the other.
// Workflows in the console: made as a list, launched, approved by somebody else, failed, run again.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  expectAccessibleAtAllSizes,
  expectAccessibleInBoth,
  useConsole,
} from '../helpers/console.ts';
import { choose } from '../helpers/console-project.ts';
import { addProgram } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const demo = useDemo(console);

const nodes = (page: Page): Locator => page.getByRole('list', { name: 'Nodes' });
const node = (page: Page, name: string): Locator =>
  nodes(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

const asList = (page: Page): Promise<void> =>
  page.getByRole('radiogroup', { name: 'Show as' }).getByText('List').click();

/** Adds a node by its button, and names it. */
async function addNode(page: Page, type: string, name: string): Promise<void> {
  await page.getByRole('group', { name: 'Add a node' }).getByRole('button', { name: type }).click();
  const form = nodes(page);
  if (type === 'Template') await choose(form, 'Template', name === 'Tidy up' ? 'Build' : name);
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
}

/** Opens the editor of a new workflow: Build, then Ask, then Deploy, and Tidy up if that fails. */
async function listWorkflow(page: Page): Promise<void> {
  await page.goto(demo.url('workflows'));
  await page.getByRole('link', { name: '8. Change the timetable' }).waitFor();
  await page.getByRole('link', { name: 'New Workflow' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Release');
  await asList(page);
  await addNode(page, 'Template', 'Build');
  await addNode(page, 'Approval', 'Ask');
  await nodes(page).getByRole('textbox', { name: 'Question' }).fill('Deploy it?');
  await nodes(page).getByRole('checkbox', { name: 'The person who started the run' }).check();
  await addNode(page, 'Template', 'Deploy');
  await addNode(page, 'Template', 'Tidy up');
  await choose(nodes(page), 'Condition', 'On failure');
}

test('a workflow is made as a list, approved by another, fails, and runs again', async () => {
  const flag = join(console.server.dataDir, `${demo.only('flag')}.txt`);
  await addProgram(demo, 'Build', 'echo version=1.4 > "$SIGNALBOX_OUTPUTS"');
  await addProgram(demo, 'Deploy', `cat '${flag}'`);
  // Nobody but the launcher could approve, if there were no other manager.
  const other = await openAs(console, demo, 'manager');
  const page = await console.enter();
  await listWorkflow(page);
  await expectAccessibleAtAllSizes(page);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Workflow Release created').waitFor();
  await expectAccessibleAtAllSizes(page);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  const approval = page.getByRole('region', { name: '“Ask” waits for approval' });
  await approval.getByText('Deploy it?').waitFor();
  await approval.getByText('You started this run, or last changed').waitFor();
  await expectAccessibleAtAllSizes(page);
  await other.goto(page.url());
  await other.getByRole('textbox', { name: 'Comment' }).fill('Go ahead');
  await expectAccessibleAtAllSizes(other);
  await other.getByRole('button', { name: 'Approve' }).click();

  // The page of the one who launched it follows by itself.
  await page.getByText(/approved "Ask": Go ahead/).waitFor();
  await page.getByText('"Tidy up" started because "Deploy" failed.').waitFor();
  // A failure that an edge foresees does not fail the run.
  await page.getByText('The run succeeded.').waitFor();
  await page.getByRole('button', { name: 'Tidy up' }).getByText('Success').waitFor();
  await expectAccessibleAtAllSizes(page);
  await asList(page);
  await node(page, 'Deploy').getByText('Failed', { exact: true }).waitFor();
  await expectAccessibleAtAllSizes(page);

  await writeFile(flag, 'deployed');
  await page.getByRole('button', { name: 'Re-run from failed nodes' }).click();
  await node(page, 'Build').getByText('Kept from an earlier run').waitFor();
  // The approval was for the execution before.
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The run succeeded.').waitFor();
  await node(page, 'Deploy').getByText('Success', { exact: true }).waitFor();
  await node(page, 'Tidy up').getByText('Skipped', { exact: true }).waitFor();
  await node(page, 'Deploy')
    .getByRole('link', { name: /^#\d+$/ })
    .click();
  await page.getByRole('dialog').getByText('deployed').waitFor();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Run #\d+$/ })
    .waitFor();
  await page.goto(demo.url('workflows'));
  await page
    .getByRole('table', { name: 'Workflows' })
    .getByText('Success', { exact: true })
    .waitFor();
  await expectAccessibleAtAllSizes(page);
});

test('a workflow is drawn: connected by dragging, with a condition, and arranged', async () => {
  await addProgram(demo, 'Draw', 'true');
  const page = await demo.enter('workflows/new');
  const add = page.getByRole('group', { name: 'Add a node' });
  await add.getByRole('button', { name: 'Wait' }).click();
  await add.getByRole('button', { name: 'Approval' }).click();
  const drawing = page.getByRole('region', { name: 'Graph of the workflow' });
  await drawing.getByRole('button', { name: 'From Wait to Approval: On success' }).click();
  await choose(page.locator('body'), 'Condition', 'Always');
  await drawing.getByRole('button', { name: 'From Wait to Approval: Always' }).waitFor();
  await page.getByRole('button', { name: 'Do not start after Wait' }).click();
  await expect.poll(() => drawing.getByRole('button', { name: /^From / }).count()).toBe(0);
  await drawing.getByRole('button', { name: 'Fit to screen' }).click();
  const from = drawing.locator('.react-flow__node', { hasText: 'Wait' }).locator('.source');
  const to = drawing.locator('.react-flow__node', { hasText: 'Approval' }).locator('.target');
  await from.dragTo(to);
  await drawing.getByRole('button', { name: 'From Wait to Approval: On success' }).waitFor();
  await expectAccessibleInBoth(page);
  const card = drawing.getByRole('button', { name: 'Wait Wait' });
  const before = await card.boundingBox();
  await card.hover();
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) + 150, (before?.y ?? 0) + 150, { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(async () => (await card.boundingBox())?.y)
    .toBeGreaterThan((before?.y ?? 0) + 60);
  await drawing.getByRole('button', { name: 'Arrange' }).click();
  await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan((before?.y ?? 0) + 60);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => (await card.boundingBox())?.y)
    .toBeGreaterThan((before?.y ?? 0) + 60);
});

test('the editor says what is wrong at the node, and takes changes back', async () => {
  await addProgram(demo, 'Check', 'true');
  const page = await demo.enter('workflows/new?as=list');
  const add = page.getByRole('group', { name: 'Add a node' });
  await add.getByRole('button', { name: 'Wait' }).click();
  await add.getByRole('button', { name: 'Approval' }).click();
  for (const role of ['Owner', 'Manager']) {
    await nodes(page).getByRole('checkbox', { name: role }).uncheck();
  }
  const nobody = node(page, 'Approval').getByText('No one can approve "Approval": choose a role');
  await nobody.waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await nobody.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Redo' }).click();
  await nobody.waitFor();
  await page.getByRole('button', { name: 'Edit Wait' }).click();
  await nodes(page).getByRole('button', { name: 'Add a preceding node' }).click();
  await page.getByText('These nodes wait for each other in a circle: Wait, Approval').waitFor();
  await nodes(page).getByRole('button', { name: 'Do not start after Approval' }).click();
  await page.getByText('in a circle').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Fix the errors shown at the nodes').waitFor();
  await expectAccessibleAtAllSizes(page);
  await page.getByRole('link', { name: 'Workflows' }).first().click();
  await page
    .getByRole('dialog', { name: 'Discard' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await page.getByRole('heading', { name: 'Workflows' }).waitFor();
});
