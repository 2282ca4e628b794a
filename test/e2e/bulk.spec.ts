// Actions with many rows of a list at once.

import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import type { View } from '#shared/api/views.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

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
