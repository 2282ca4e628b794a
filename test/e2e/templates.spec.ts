// Templates are made, changed, copied, deleted and run, beginning in an empty project.

import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { Task } from '#shared/api/tasks.ts';
import { addProject, addResources, choose } from '../helpers/console-project.ts';
import { expectAccessible, follow, useConsole } from '../helpers/console.ts';

const console = useConsole();

const say = (text: string): string =>
  `- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug:\n        msg: "${text}"\n`;

const playbooks = {
  'build.yml': say('Built {{ semaphore_vars.task_details.target_version }}'),
  'deploy.yml': say('Deployed {{ semaphore_vars.task_details.incoming_version }} to {{ place }}'),
};

async function fillSources(dialog: Locator, playbook: string): Promise<void> {
  await choose(dialog, 'Repository', 'Playbooks');
  await dialog.getByLabel('Playbook filename').fill(playbook);
  await choose(dialog, 'Inventory', 'This server');
  await choose(dialog, 'Environment', 'No variables');
}

async function addSurvey(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  const editor = page.getByRole('dialog', { name: 'New survey variable' });
  await editor.getByRole('button', { name: 'Create' }).click();
  await editor.getByText('Name is required').waitFor();
  await editor.getByText('Title is required').waitFor();
  await editor.getByLabel('Title').fill('Place');
  await editor.getByLabel('Name').fill('place');
  await choose(editor, 'Type', 'Enumeration');
  await editor.getByRole('button', { name: 'Create' }).click();
  await editor.getByText('Enumeration must have values.').waitFor();
  for (const [index, place] of ['Harbour', 'Mill Lane'].entries()) {
    await editor.getByRole('button', { name: 'Add value' }).click();
    // The focus is where the label is typed.
    await editor.locator('input:focus').fill(place);
    expect(await editor.getByRole('textbox', { name: 'Label' }).nth(index).inputValue()).toBe(
      place,
    );
    await editor.getByRole('textbox', { name: 'Value', exact: true }).nth(index).fill(place);
  }
  await choose(editor, 'Default value', 'Mill Lane');
  await editor.getByLabel('Required').check();
  await editor.getByRole('button', { name: 'Create' }).click();
  await editor.waitFor({ state: 'hidden' });
}

test('a build and a deploy are made in an empty project, and run', async () => {
  const page = await console.enter();
  const id = await addProject(console, 'Yard');
  await page.goto(`${console.server.address}/project/${id}/templates`);
  await page.getByRole('button', { name: 'Add a repository' }).waitFor();
  await expectAccessible(page);
  await addResources(console, id, playbooks);
  await page.getByRole('button', { name: 'Add an environment' }).waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'New Template' }).first().click();
  await page.waitForURL(`**/project/${id}/templates/new/edit`);
  const dialog = page.getByRole('dialog', { name: 'New Template' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  for (const message of ['Name is required', 'Playbook filename is required']) {
    await dialog.getByText(message, { exact: true }).waitFor();
  }
  await dialog.getByLabel('Name *', { exact: true }).fill('Build it');
  await fillSources(dialog, 'build.yml');
  await dialog.getByText('Build', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Start version is required').waitFor();
  await expect
    .poll(() => dialog.getByLabel('Start version').getAttribute('placeholder'))
    .toBe('0.0.0');
  await dialog.getByLabel('Start version').fill('1.0.0');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Template Build it created').waitFor();
  await page.waitForURL(`**/project/${id}/templates`);

  await follow(page, `/project/${id}/templates/new`);
  await page.waitForURL(`**/project/${id}/templates/new/edit`);
  await dialog.getByLabel('Name *', { exact: true }).fill('Deploy it');
  await fillSources(dialog, 'deploy.yml');
  await dialog.getByText('Deploy', { exact: true }).click();
  await addSurvey(page, dialog);
  const build = dialog.getByRole('combobox', { name: 'Build template' });
  await expect.poll(() => build.inputValue()).toBe('Build it');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Build version').first().waitFor();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Template Deploy it created').waitFor();

  await page.getByRole('button', { name: 'Build Build it' }).click();
  const launch = page.getByRole('dialog');
  await launch
    .getByText('Please allow overriding CLI argument in the template settings.')
    .waitFor();
  await launch.getByRole('button', { name: 'Build', exact: true }).click();
  await launch.getByText('Success', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Deploy Deploy it' }).click();
  await expect.poll(() => launch.getByLabel('Build version').inputValue()).toBe('1.0.0');
  await expect
    .poll(() => launch.getByRole('combobox', { name: 'Place' }).inputValue())
    .toBe('Mill Lane');
  await launch.getByRole('button', { name: 'Deploy', exact: true }).click();
  await launch.getByText('Success', { exact: true }).waitFor();
  await launch.getByText('Deployed 1.0.0 to Mill Lane').waitFor();
  const [task] = await console.call<Task[]>('GET', `/api/project/${id}/tasks`);
  expect(task).toMatchObject({ status: 'success', environment: '{"place":"Mill Lane"}' });
});
