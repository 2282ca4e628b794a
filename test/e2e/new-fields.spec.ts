// Slow: each form is filled in whole, and looked at in both themes and on a narrow screen.
// What forms have for people as the API has it for programs: schedules that are due once, options for
// the tasks of schedules and integrations, several environments, vaults by script, and any variable.

import { expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import type { Integration } from '#shared/api/integrations.ts';
import type { Schedule } from '#shared/api/schedules.ts';
import type { Template } from '#shared/api/templates.ts';
import { choose } from '../helpers/console-project.ts';
import { expectAccessibleAtAllSizes, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const templateAt = () => demo.api(`templates/${demo.template(2)}`);
const templateName = '2. Look at the server';

/** Chooses an option of a list by keyboard alone. */
async function chooseByKeys(field: Locator, option: string): Promise<void> {
  const page = field.page();
  await field.focus();
  await page.keyboard.press('Enter');
  const wanted = page.getByRole('option', { name: option, exact: true });
  await wanted.waitFor();
  await expect
    .poll(async () => {
      if ((await wanted.getAttribute('data-combobox-selected')) !== null) return true;
      await page.keyboard.press('ArrowDown');
      return (await wanted.getAttribute('data-combobox-selected')) !== null;
    })
    .toBe(true);
  await page.keyboard.press('Enter');
  await wanted.waitFor({ state: 'hidden' });
}

async function fill(within: Locator, values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    await within.getByRole('textbox', { name: label, exact: true }).fill(text);
  }
}

const schedules = (): Promise<Schedule[]> => call('GET', demo.api('schedules'));
const scheduleNamed = async (name: string) => (await schedules()).find((one) => one.name === name);

test('a schedule that is due once is made and changed by keyboard', async () => {
  const page = await demo.enter('schedules');
  await page.getByRole('button', { name: 'New Schedule' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New Schedule' });
  await dialog.getByLabel('Name').fill('Once in a lifetime');
  await choose(dialog, 'Template', templateName);
  await chooseByKeys(dialog.getByRole('combobox', { name: 'Runs' }), 'Once');
  const time = dialog.getByLabel('Date and time');
  await dialog.getByRole('button', { name: 'Create' }).press('Enter');
  await dialog.getByText('Fill this in').first().waitFor();
  expect(await dialog.getByLabel('Cron').count()).toBe(0);
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Nairobi');
  await page.getByRole('option', { name: 'Africa/Nairobi' }).click();
  await time.fill('2020-06-25T02:00');
  await dialog.getByRole('button', { name: 'Create' }).press('Enter');
  await dialog
    .getByText(/passed/)
    .first()
    .waitFor();
  await time.fill('2127-06-25T02:00');
  await dialog.getByRole('switch', { name: /^Delete the schedule/ }).press('Space');
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Create' }).press('Enter');
  await page.getByText('Schedule Once in a lifetime created').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(await scheduleNamed('Once in a lifetime')).toMatchObject({
    type: 'run_at',
    run_at: '2127-06-24T23:00:00Z',
    time_zone: 'Africa/Nairobi',
    delete_after_run: true,
    cron_format: '',
    active: true,
  });
  const row = page.getByRole('row').filter({ hasText: 'Once in a lifetime' });
  await row.getByText(/2127/).first().waitFor();
  await expectAccessibleAtAllSizes(page);
  await page.getByRole('button', { name: 'Edit Once in a lifetime' }).press('Enter');
  const edit = page.getByRole('dialog', { name: 'Edit schedule' });
  await expect.poll(() => edit.getByLabel('Date and time').inputValue()).toBe('2127-06-25T02:00');
  await chooseByKeys(edit.getByRole('combobox', { name: 'Runs' }), 'Repeatedly (cron)');
  await edit.getByRole('textbox', { name: 'Cron' }).fill('@every 1h');
  await edit.getByRole('button', { name: 'Save' }).press('Enter');
  await edit.waitFor({ state: 'hidden' });
  expect(await scheduleNamed('Once in a lifetime')).toMatchObject({
    type: '',
    run_at: null,
    cron_format: '@every 1h',
    delete_after_run: false,
  });
});

const options = {
  Message: 'By night',
  Limit: 'localhost',
  Tags: 'fast',
  'Skip tags': 'slow',
  Branch: 'main',
};

const stored = {
  message: 'By night',
  limit: 'localhost',
  tags: 'fast',
  skip_tags: 'slow',
  git_branch: 'main',
  dry_run: true,
};

/** Opens the options and fills them in, the flags by keyboard. */
async function fillOptions(dialog: Locator, inventory: string): Promise<void> {
  await dialog.getByText('Run options').focus();
  await dialog.page().keyboard.press('Enter');
  await fill(dialog, options);
  await choose(dialog, 'Inventory', inventory);
  await dialog.getByRole('checkbox', { name: 'Dry run' }).press('Space');
}

async function expectOptions(dialog: Locator, inventory: string): Promise<void> {
  for (const [label, text] of Object.entries(options)) {
    const field = dialog.getByRole('textbox', { name: label, exact: true });
    await expect.poll(() => field.inputValue()).toBe(text);
  }
  expect(await dialog.getByRole('combobox', { name: 'Inventory' }).inputValue()).toBe(inventory);
  expect(await dialog.getByRole('checkbox', { name: 'Dry run' }).isChecked()).toBe(true);
}

const allow = (isAllowed: boolean) =>
  call('PATCH', templateAt(), {
    allow_override_limit_in_task: isAllowed,
    allow_override_tags_in_task: isAllowed,
    allow_override_skip_tags_in_task: isAllowed,
    allow_override_branch_in_task: isAllowed,
    allow_override_inventory_in_task: isAllowed,
  });

test('a schedule gives its tasks options, which its template has to allow', async () => {
  const [inventory] = await call<{ name: string }[]>('GET', demo.api('inventory'));
  const name = inventory?.name ?? '';
  await allow(false);
  const page = await demo.enter('schedules');
  await page.getByRole('button', { name: 'New Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Schedule' });
  await dialog.getByLabel('Name').fill('Limited');
  await choose(dialog, 'Template', templateName);
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('0 2 * * *');
  await fillOptions(dialog, name);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/^The template does not allow/).waitFor();
  await expectAccessibleAtAllSizes(page);
  await allow(true);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Schedule Limited created').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect((await scheduleNamed('Limited'))?.task_params).toMatchObject(stored);
  await page.getByRole('button', { name: 'Edit Limited' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit schedule' });
  await expectOptions(edit, name);
  await fill(edit, { Limit: '' });
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  const { task_params: params } = (await scheduleNamed('Limited')) ?? {};
  expect([params?.limit, params?.tags]).toEqual([null, 'fast']);
});

test('an integration gives its tasks options', async () => {
  const [inventory] = await call<{ name: string }[]>('GET', demo.api('inventory'));
  const name = inventory?.name ?? '';
  await allow(true);
  const page = await demo.enter('integrations');
  await page.getByRole('button', { name: 'New Integration' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Integration' });
  await dialog.getByLabel('Name').fill('Narrow push');
  await choose(dialog, 'Task template to run', templateName);
  await fillOptions(dialog, name);
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const made = (await call<Integration[]>('GET', demo.api('integrations'))).find(
    (one) => one.name === 'Narrow push',
  );
  expect(made?.task_params).toMatchObject(stored);
  await page.goto(demo.url(`integrations?edit=${made?.id}`));
  await expectOptions(page.getByRole('dialog'), name);
});

test('a template has several environments in their order, a vault by script, and any variable', async () => {
  const add = async (name: string): Promise<number> =>
    (await call<{ id: number }>('POST', demo.api('environment'), { name, json: '{}' })).id;
  const [second, third] = [await add('Second'), await add('Third')];
  const { environment_id: first } = await call<Template>('GET', templateAt());
  const page = await demo.enter(`templates/${demo.template(2)}`);
  await page.getByRole('button', { name: 'Edit template' }).click();
  const form = page.getByRole('form', { name: 'Edit template' });
  const further = form.getByRole('combobox', { name: 'Additional environments' });
  for (const name of ['Third', 'Second']) {
    await further.fill(name);
    await page.getByRole('option', { name, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Tab');
  await form.getByRole('button', { name: 'Add vault with a script' }).press('Enter');
  await form.getByLabel('Vault name').fill('Prod');
  await form.getByRole('checkbox', { name: 'Any variable' }).press('Space');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Fill this in').first().waitFor();
  const script = form.getByRole('textbox', { name: 'Script in the repository' });
  await script.fill('../outside.sh');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => script.getAttribute('aria-invalid')).toBe('true');
  await expectAccessibleAtAllSizes(page);
  await script.fill('vault/password.sh');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Template ${templateName} saved`).waitFor();
  await form.waitFor({ state: 'hidden' });
  const saved = await call<Template>('GET', templateAt());
  expect(saved).toMatchObject({
    environment_id: first,
    environment_ids: [first, third, second],
    vaults: [{ type: 'script', script: 'vault/password.sh', name: 'prod' }],
    allow_any_variable_in_task: true,
  });
  await expectAccessibleAtAllSizes(page);
  // The last one goes by Backspace, and the others stay.
  await page.getByRole('button', { name: 'Edit template' }).click();
  await further.press('Backspace');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  const changed = await call<Template>('GET', templateAt());
  expect(changed.environment_ids).toEqual([first, third]);
});

test('a launch sets a variable that no survey asks for', async () => {
  await call('PATCH', templateAt(), { allow_any_variable_in_task: true, vaults: [] });
  const page = await demo.enter('templates');
  await page.getByRole('button', { name: `Run ${templateName}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: 'Additional variables (JSON)' })
    .fill('{"colour": "red"}');
  await expectAccessibleAtAllSizes(page);
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await dialog.getByText('Task #').first().waitFor();
  const [task] = await call<{ environment: string }[]>('GET', demo.api('tasks/last'));
  expect(JSON.parse(task?.environment ?? '')).toMatchObject({ colour: 'red' });
});
