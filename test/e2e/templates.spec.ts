// Templates are made, changed, copied, deleted and run, beginning in an empty project.

import { expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
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

async function fillSources(form: Locator, playbook: string): Promise<void> {
  await choose(form, 'Repository', 'Playbooks');
  await form.getByLabel('Playbook filename').fill(playbook);
  await choose(form, 'Inventory', 'This server');
  await choose(form, 'Environment', 'No variables');
}

async function addSurvey(form: Locator): Promise<void> {
  const survey = form.getByRole('region', { name: 'Asked before each run' });
  await survey.getByRole('button', { name: 'Add variable' }).click();
  // A variable without title and name is refused with the whole form, which goes on.
  await form.getByRole('button', { name: 'Create' }).click();
  await survey.getByText('Name is required').waitFor();
  await survey.getByText('Title is required').waitFor();
  await survey.getByRole('textbox', { name: 'Title' }).fill('Place');
  await survey.getByRole('textbox', { name: 'Name', exact: true }).fill('place');
  await choose(survey, 'Type', 'Enumeration');
  await form.getByRole('button', { name: 'Create' }).click();
  await survey.getByText('Enumeration must have values.').waitFor();
  for (const [index, place] of ['Harbour', 'Mill Lane'].entries()) {
    await survey.getByRole('button', { name: 'Add value' }).click();
    // The focus is where the label is typed.
    await survey.locator('input:focus').fill(place);
    expect(await survey.getByRole('textbox', { name: 'Label' }).nth(index).inputValue()).toBe(
      place,
    );
    await survey.getByRole('textbox', { name: 'Value', exact: true }).nth(index).fill(place);
  }
  await choose(survey, 'Default value', 'Mill Lane');
  await survey.getByLabel('Required').check();
  await survey.getByRole('button', { name: /^Place place · Enumeration · Required/ }).waitFor();
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
  const form = page.getByRole('form', { name: 'New Template' });
  await form.getByRole('button', { name: 'Create' }).click();
  for (const message of ['Name is required', 'Playbook filename is required']) {
    await form.getByText(message, { exact: true }).waitFor();
  }
  await form.getByLabel('Name *', { exact: true }).fill('Build it');
  await fillSources(form, 'build.yml');
  await form.getByText('Build', { exact: true }).click();
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Start version is required').waitFor();
  await expect
    .poll(() => form.getByLabel('Start version').getAttribute('placeholder'))
    .toBe('0.0.0');
  await form.getByLabel('Start version').fill('1.0.0');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Template Build it created').waitFor();
  await page.waitForURL(`**/project/${id}/templates`);

  await follow(page, `/project/${id}/templates/new`);
  await page.waitForURL(`**/project/${id}/templates/new/edit`);
  await form.getByLabel('Name *', { exact: true }).fill('Deploy it');
  await fillSources(form, 'deploy.yml');
  await form.getByText('Deploy', { exact: true }).click();
  await addSurvey(form);
  const build = form.getByRole('combobox', { name: 'Build template' });
  await expect.poll(() => build.inputValue()).toBe('Build it');
  const preview = form.getByRole('complementary');
  await preview.getByText('Build version').first().waitFor();
  await preview.getByText(/^Place/).waitFor();
  await form.getByRole('button', { name: 'Create' }).click();
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

  await page.keyboard.press('Escape');
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Versions').click();
  await page.waitForURL(/as=board/);
  const versions = page.getByRole('table', { name: 'Deployed versions of Build it' });
  await versions.getByRole('row', { name: /Deploy it.*1\.0\.0.*Administrator/ }).waitFor();
  await expectAccessible(page);
});
