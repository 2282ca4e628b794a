// The states of Terraform that are kept for a template, with a stand-in for Terraform.
// Slow: it has a server of its own, and most people run Ansible only.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import {
  expectAccessibleAtAllSizes,
  expectAccessibleInBoth,
  useOwnConsole,
} from '../helpers/console.ts';
import { addTemplate, codeOf, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { commitFiles } from '../helpers/seed.ts';
import { standIn } from '../runner/terraform-project.ts';

const console = useOwnConsole();
const demo = useDemo(console);

test('a copy takes the place of an emptied state, and the next plan says why it waits', async () => {
  const { call } = demo;
  await call('PUT', '/api/apps/terraform', { id: 'terraform', path: standIn, active: true });
  const id = await addTemplate(demo, {
    name: 'Network',
    app: 'terraform',
    files: { 'infra/main.tf': '# input: one\n' },
    playbook: 'infra',
    inventory_id: null,
    environment_id: null,
    auto_approve: true,
  });
  const run = async (to: Task['status']): Promise<number> => {
    const task = await launchTask(demo, id);
    await untilTask(demo, task.id, to);
    return task.id;
  };
  await run('success');
  await commitFiles(codeOf(demo, 'Network'), { 'infra/main.tf': '# input: two\n' });
  await run('success');
  const state = `terraform/${demo.id}/${id}/state/terraform.tfstate`;
  await writeFile(join(console.server.dataDir, state), '');
  const failed = await run('error');

  const page = await demo.enter(`tasks/${failed}`);
  await page.getByText('Use this copy').first().waitFor();
  await page.goto(demo.url(`templates/${id}`));
  await page.getByRole('button', { name: 'Terraform state' }).click();
  const dialog = page.getByRole('dialog', { name: 'Terraform state' });
  await dialog.getByText('empty (0 bytes)').waitFor();
  await dialog.getByText('objects: 1, serial 1').waitFor();
  await expectAccessibleInBoth(page);
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Use this copy' }).click();
  const question = page.getByRole('dialog', { name: 'Use this copy' });
  await question.getByText('The next plan waits for confirmation.').waitFor();
  await question.getByRole('button', { name: 'Use this copy' }).click();
  await page.getByText('State replaced').waitFor();
  await expect.poll(() => dialog.getByText('empty (0 bytes)').count()).toBe(0);

  const waiting = await run('waiting_confirmation');
  await page.goto(demo.url(`tasks/${waiting}`));
  await page.getByText('Someone replaced the state in use').first().waitFor();
  await expectAccessibleInBoth(page);
  await call('POST', demo.api(`tasks/${waiting}/stop`), {});
  await untilTask(demo, waiting, 'stopped');

  await page.goto(demo.url(`templates/${id}`));
  await page.getByRole('button', { name: 'Delete template' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete template' });
  await deletion.getByText('Terraform objects that continue to exist: 1.').waitFor();
  await page.goto(demo.url('settings'));
  await page.getByRole('button', { name: 'Delete project' }).click();
  await page
    .getByRole('dialog', { name: 'Delete project' })
    .getByText('Terraform objects that continue to exist: 1.')
    .waitFor();
});
