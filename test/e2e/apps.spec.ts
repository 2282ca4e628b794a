// Slow: it has a server of its own, and most people run Ansible only.
// Apps other than Ansible in the console, with a stand-in for Terraform.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { expectAccessible, expectNoComplaints, useOwnConsole } from '../helpers/console.ts';
import { addTemplate } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

// A server of its own: apps belong to all projects.
const console = useOwnConsole();
const demo = useDemo(console);

test('a plan is read, confirmed and applied; its commands can be looked up', async () => {
  const page = await console.enter();
  const path = resolve('test/fixtures/stand-in/terraform');
  await console.call('POST', '/api/apps/terraform', { path });
  const files = { 'main.tf': '# input: tracks\n' };
  const id = await addTemplate(demo, { name: 'Lay tracks', files, app: 'terraform' });
  await page.goto(demo.url(`templates/${id}`));
  await page.getByText('Terraform', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Plan only').waitFor();
  expect(await dialog.getByLabel(/Diff/).count()).toBe(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await dialog.getByText('It is applied when somebody confirms it.').waitFor();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText(/Apply complete!/).waitFor();
  await dialog.getByText('3 commands').click();
  await dialog.getByRole('listitem').filter({ hasText: 'plan.tfplan' }).last().waitFor();
  await expectAccessible(page);
  const [task] = await console.call<Task[]>('GET', demo.api('tasks'));
  expect(task?.commands.map((command) => command.split(' ')[1])).toEqual(['init', 'plan', 'apply']);
  expectNoComplaints();
});

test('an app that is not installed says so, and its templates cannot be run', async () => {
  const page = await console.enter();
  await console.call('POST', '/api/apps/crane', { title: 'Crane', path: '/nowhere/crane' });
  const id = await addTemplate(demo, {
    name: 'Lift',
    files: { 'lift.yml': '' },
    app: 'crane',
    playbook: 'lift.yml',
  });
  await page.goto(demo.url(`templates/${id}`));
  await page.getByText('not installed').waitFor();
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect.poll(() => run.getAttribute('aria-disabled')).toBe('true');
  await run.focus();
  await page.getByRole('tooltip', { name: 'Crane is not installed on the server.' }).waitFor();
  await run.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  expectNoComplaints();
});
