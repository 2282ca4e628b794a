// Slow: it has a server of its own, and most people run Ansible only.
// Apps other than Ansible in the console, with a stand-in for Terraform.

import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import { expectAccessible, useOwnConsole } from '../helpers/console.ts';
import { addTemplate, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

// This file has a server of its own, because apps belong to all projects.
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
  await dialog.getByRole('link', { name: 'Plan: 1 to add, 0 to change, 0 to destroy' }).click();
  await dialog.getByRole('row', { name: 'Add terraform_data.it' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Log', exact: true }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText(/Apply complete!/).waitFor();
  await dialog.getByText('4 commands').click();
  await dialog.getByRole('listitem').filter({ hasText: 'plan.tfplan' }).last().waitFor();
  await expectAccessible(page);
  const [task] = await console.call<Task[]>('GET', demo.api('tasks'));
  expect(task?.commands.map((command) => command.split(' ')[1])).toEqual([
    'init',
    'init',
    'plan',
    'apply',
  ]);
});

/** A task that waits with the plan of this fixture. */
async function taskWithPlan(name: string, plan: string): Promise<number> {
  const [standIn, fixture] = ['stand-in/terraform', `plans/${plan}.json`].map((file) =>
    resolve('test/fixtures', file),
  );
  const path = join(console.server.dataDir, `terraform-with-${plan}`);
  const text = `#!/bin/sh\n[ "$1" = show ] && exec cat ${fixture}\nexec ${standIn} "$@"\n`;
  await writeFile(path, text, { mode: 0o755 });
  await console.call('POST', '/api/apps/terraform', { path });
  const files = { 'main.tf': '# input: bridges\n' };
  const template = await addTemplate(demo, { name, files, app: 'terraform' });
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'waiting_confirmation');
  return id;
}

test('a plan that leaves something out says that another one has to follow', async () => {
  const page = await console.enter();
  const taskId = await taskWithPlan('Build one bridge', 'terraform-1.11-target');
  await page.goto(demo.url(`tasks/${taskId}?view=plan`));
  await page.getByRole('row', { name: 'Add terraform_data.one' }).waitFor();
  await page.getByText(/does not cover .* Plan and apply again/).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reject' }).click();
  await untilTask(demo, taskId, 'stopped');
});

test('the plan is a list of resources, with what is destroyed first', async () => {
  const page = await console.enter();
  const taskId = await taskWithPlan('Build bridges', 'documented-form');
  await page.goto(demo.url('history'));
  const signs = page.getByTitle('Plan: 4 to add, 2 to change, 4 to destroy (replaced: 2)');
  await expect.poll(() => signs.innerText()).toMatch(/\+4\s*~2\s*−4/);
  await page.goto(demo.url(`tasks/${taskId}?view=plan`));
  const table = page.getByRole('table', { name: 'Resources of the plan' });
  const rows = table.getByRole('row');
  await expect.poll(() => rows.count()).toBe(14);
  expect(await page.getByText('does not cover').count()).toBe(0);
  expect(await rows.nth(1).innerText()).toMatch(/^Destroy\s+aws_s3_bucket\.old/);
  expect(await rows.nth(3).innerText()).toContain('Replaced because of ami; id');
  await page.getByText('was aws_iam_role.before').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Replace 2' }).click();
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByLabel('Search resources').fill('web');
  await expect.poll(() => rows.count()).toBe(2);
  await page.setViewportSize({ width: 360, height: 740 });
  await table.getByText('aws_instance.web[0]').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reject' }).click();
  await untilTask(demo, taskId, 'stopped');
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
});
