// Slow: tasks of a whole server run in a browser.
// Actions with many rows of a list at once.

import { expect, test } from 'vitest';
import type { Inventory } from '#shared/api/inventories.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import type { View } from '#shared/api/views.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

test('twelve templates of a view run in three clicks, and all but one are listed as launched', async () => {
  const view = await call<View>('POST', demo.api('views'), { title: 'Tonight' });
  const [sample] = await call<Template[]>('GET', demo.api('templates'));
  const variable = { name: 'version', title: 'Version', required: true };
  const ids: number[] = [];
  for (let number = 1; number <= 12; number += 1) {
    const fields = { name: `Tonight ${number}`, view_id: view.id };
    const survey_vars = number === 12 ? [variable] : [];
    const body = { ...sample, ...fields, survey_vars };
    ids.push((await call<Template>('POST', demo.api('templates'), body)).id);
  }
  const page = await demo.enter(`views/${view.id}/templates`);
  await page.getByRole('link', { name: 'Tonight 1', exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all 12' }).click();
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByText('12 selected').waitFor();
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Run 12 templates' }).click();
  const question = page.getByRole('dialog', { name: 'Run 12 templates' });
  await question.getByText('and 2 more').waitFor();
  await question.getByRole('button', { name: 'Run 12 templates' }).click();
  const failures = page.getByRole('dialog', { name: '1 failed' });
  await failures.getByText('Tonight 12').waitFor();
  await failures.getByRole('button', { name: 'Close' }).last().click();
  await bar.getByText('1 selected').waitFor();
  const tasks = await call<Task[]>('GET', demo.api('tasks'));
  const launched = tasks.map(({ template_id: id }) => id).filter((id) => ids.includes(id));
  expect(launched.toSorted((a, b) => a - b)).toEqual(ids.slice(0, 11));
});

test('two hosts become the limit of a launch, and its dialog gives the focus back to the list', async () => {
  const [sample] = await call<Template[]>('GET', demo.api('templates'));
  const inventory = await call<Inventory>('POST', demo.api('inventory'), {
    name: 'Two hosts',
    type: 'static',
    inventory: 'alpha ansible_connection=local\nbeta ansible_connection=local\n',
  });
  const fields = { name: 'Limited', app: 'ansible', playbook: 'limited.yml' };
  const limits = { inventory_id: inventory.id, allow_override_limit_in_task: true };
  await call<Template>('POST', demo.api('templates'), { ...sample, ...fields, ...limits });
  const page = await demo.enter('hosts?q=a');
  await page.getByRole('link', { name: 'alpha' }).focus();
  await page.keyboard.press('x');
  await page.getByRole('link', { name: 'beta' }).focus();
  await page.keyboard.press('x');
  const name = 'Run a template on 2 hosts';
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name }).click();
  const question = page.getByRole('dialog', { name });
  await question.getByRole('combobox').fill('Limited');
  await page.getByRole('option', { name: 'Limited' }).click();
  await question.getByRole('button', { name }).click();
  const launch = page.getByRole('dialog', { name: /^Limited/ });
  const limit = launch.getByRole('textbox', { name: 'Limit' });
  await limit.waitFor();
  expect(await limit.inputValue()).toBe('alpha,beta');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await launch.waitFor({ state: 'hidden' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toMatch(/^Select all/);
});

test('finished tasks are re-run together, and the focus goes to their list', async () => {
  // A task that ends meanwhile would move the rows.
  const isQuiet = async () =>
    (await call<Task[]>('GET', `${demo.api('tasks')}?state=unfinished`)).length === 0;
  expect(await until(isQuiet)).toBe(true);
  const [last] = await call<Task[]>('GET', `${demo.api('tasks')}?limit=1`);
  const page = await demo.enter('history?status=success');
  const boxes = page.getByRole('table', { name: 'Task history' }).getByRole('checkbox');
  await boxes.nth(1).click();
  await boxes.nth(2).click();
  await page.getByRole('button', { name: 'Re-run 2 tasks' }).click();
  const question = page.getByRole('dialog', { name: 'Re-run 2 tasks' });
  await question.getByRole('button', { name: 'Re-run 2 tasks' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toMatch(/^Select all/);
  const newest = await call<Task[]>('GET', `${demo.api('tasks')}?limit=2`);
  expect(newest.every(({ id }) => id > (last?.id ?? 0))).toBe(true);
});
