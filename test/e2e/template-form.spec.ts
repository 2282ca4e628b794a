// Slow: every field of the longest form is changed.
// One template: every field of its form is changed, it is copied, and it is deleted.

import { expect, test } from 'vitest';
import type { Schedule } from '#shared/api/schedules.ts';
import type { Template } from '#shared/api/templates.ts';
import { choose } from '../helpers/console-project.ts';
import { expectAccessible, follow, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call, enter } = console;
const demo = useDemo(console);

const api = (number: number, rest = '') => demo.api(`templates/${demo.template(number)}${rest}`);
const template = (number: number): Promise<Template> => call('GET', api(number));
const own = (number: number): Promise<Schedule[]> => call('GET', api(number, '/schedules'));

test('vaults, arguments, rules and the schedule of a template are changed', async () => {
  const page = await enter();
  await page.goto(demo.url(`templates/${demo.template(2)}`));
  await page.getByRole('button', { name: 'Edit template' }).click();
  const form = page.getByRole('form', { name: 'Edit template' });
  await form.getByRole('button', { name: 'Add vault', exact: true }).click();
  await choose(form, 'Password', 'Demo vault');
  await form.getByLabel('Vault name').fill('Prod');

  await form.getByLabel('CLI args').first().fill('--forks=10');
  await page.keyboard.press('Enter');
  await form.getByText('JSON', { exact: true }).click();
  const editor = form.getByRole('textbox', { name: 'CLI args' });
  await editor.getByText('["--forks=10"]').waitFor();
  await editor.fill('["--forks=10", 5]');
  await form.getByLabel('Retries after a failure').fill('11');
  await form.getByLabel('Cron').fill('0 25 * * *');
  await form.getByText('The hour "25" is not valid').first().waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This must be a JSON array of strings').waitFor();
  await form.getByText('The number is outside the allowed range').waitFor();
  await form.getByLabel('Retries after a failure').fill('2');
  await form.getByLabel('Wait for confirmation before the first command').check();
  await editor.fill('["--forks=10"]');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').waitFor();
  expect((await template(2)).vaults).toEqual([]);

  await form.getByRole('button', { name: 'Nightly' }).click();
  await form.getByText('At 02:00').waitFor();
  await choose(form, 'Time zone', 'Africa/Cairo');
  await form.getByText('Next times (Africa/Cairo)').waitFor();
  await expect.poll(() => form.getByText(/, 02:00$/).count()).toBe(5);
  await choose(form, 'Only with new commits in', 'Demo playbooks');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template 2. Look at the server saved').waitFor();
  await form.waitFor({ state: 'hidden' });
  expect(await template(2)).toMatchObject({
    vaults: [{ name: 'prod' }],
    arguments: '["--forks=10"]',
    retries: 2,
    requires_confirmation: true,
  });
  expect(await own(2)).toMatchObject([
    { name: '', cron_format: '0 2 * * *', time_zone: 'Africa/Cairo', active: true },
  ]);
  await page.getByText('At 02:00').waitFor();
  await page.getByText('prod: Demo vault').waitFor();

  await page.getByRole('button', { name: 'Edit template' }).click();
  await expect.poll(() => form.getByLabel('Cron').inputValue()).toBe('0 2 * * *');
  await expect.poll(() => form.getByLabel('Retries after a failure').inputValue()).toBe('2');
  await form.getByLabel('Cron').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  expect(await own(2)).toEqual([]);
});

test('a template gets a working folder, no inventory, and no requirements', async () => {
  const page = await enter();
  const before = await template(1);
  await page.goto(demo.url(`templates/${demo.template(1)}`));
  await page.getByRole('button', { name: 'Edit template' }).click();
  const form = page.getByRole('form', { name: 'Edit template' });
  const folder = form.getByLabel('Working directory');
  await folder.fill('../up');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter a path inside the repository, without ".."').waitFor();
  await folder.fill('sites');
  const playbook = form.getByRole('combobox', { name: 'Playbook' });
  await playbook.fill('gone.yml');
  await form.getByText('sites/gone.yml').waitFor();
  // It is in no folder of this name, but at the top.
  await playbook.fill(before.playbook);
  await form.getByText('sites/gone.yml').waitFor({ state: 'hidden' });
  await form.getByText('With None, Ansible uses the inventory').waitFor();
  await choose(form, 'Inventory', 'None');
  await choose(form, 'Install requirements', 'Never');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  const changed = { working_directory: 'sites', inventory_id: null, install_requirements: 'never' };
  expect(await template(1)).toMatchObject(changed);
  await page.getByText('Install requirements').waitFor();
  await call('PUT', api(1), { ...before });
});

test('variables of a survey are put into another order by keyboard', async () => {
  const page = await enter();
  await page.emulateMedia({ colorScheme: 'dark' });
  const id = demo.template(3);
  const names = async () => (await template(3)).survey_vars.map(({ name }) => name);
  const [first, second, ...others] = await names();
  await page.goto(demo.url(`templates/${id}?edit=${id}`));
  const form = page.getByRole('form', { name: 'Edit template' });
  await form.getByRole('button', { name: 'Move Platform' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('Platform lifted: place 2 of 3.').waitFor({ state: 'attached' });
  // The keys count from a moment after this, and the first place is the last one upwards.
  await until(async () => {
    await page.keyboard.press('ArrowUp');
    return (await page.getByText('Platform: place 1 of 3.').count()) > 0;
  });
  await page.keyboard.press('Space');
  await page.getByText('Platform dropped: place 1 of 3.').waitFor({ state: 'attached' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  expect(await names()).toEqual([second, first, ...others]);
});

test('a template is copied and the copy deleted; one that others deploy is not', async () => {
  const page = await enter();
  const id = demo.template(5);
  await page.goto(demo.url(`templates/${id}`));
  await page.getByRole('button', { name: 'Copy template' }).click();
  await page.waitForURL(`**/templates/${id}?copy=${id}`);
  const form = page.getByRole('form', { name: 'Copy template' });
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Template 5. Build the timetable (copy) created').waitFor();
  await page.getByRole('link', { name: 'Task Templates' }).first().click();
  await page
    .getByRole('button', { name: 'More actions for 5. Build the timetable (copy)' })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete template' });
  await question.getByText(/with its finished tasks and their logs/).waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Template "5. Build the timetable (copy)" deleted').waitFor();

  await follow(page, demo.url(`templates/${id}`));
  await page.getByRole('button', { name: 'Delete template' }).click();
  await question
    .getByText('Cannot delete the template, because it is used by the resources listed below.')
    .waitFor();
  await question.getByRole('link', { name: '6. Hang up the timetable' }).waitFor();
  const names = (await call<Template[]>('GET', demo.api('templates'))).map(({ name }) => name);
  expect(names).toContain('5. Build the timetable');
  expect(names).not.toContain('5. Build the timetable (copy)');
});
