// Schedules: when they are due, what each due time started, and who may change them.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Schedule } from '#shared/api/schedules.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { expectAccessible, follow, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const list = (rest = '') => demo.api(`schedules${rest}`);

async function openSchedules(): Promise<Page> {
  const page = await demo.enter('schedules');
  await page.getByRole('table', { name: 'Schedules' }).waitFor();
  return page;
}

const stored = async (name: string): Promise<Schedule | undefined> =>
  (await call<Schedule[]>('GET', list())).find((schedule) => schedule.name === name);

/**
 * Switches a schedule on in its row, as if it had been due some minutes ago, and makes the server look now.
 */
async function wasDue({ id }: Schedule, minutesAgo: number): Promise<void> {
  const db = openDatabase(`sqlite:${join(console.server.dataDir, 'signalbox.db')}`);
  const minute = Math.floor(Date.now() / 60_000) - minutesAgo;
  const next_due = new Date(minute * 60_000).toISOString();
  await db.updateTable('schedules').set({ next_due, active: 1 }).where('id', '=', id).execute();
  await db.destroy();
  // Any change of a schedule wakes the server.
  const other = (await call<Schedule[]>('GET', list())).find((one) => one.id !== id);
  await call('PUT', list(`/${other?.id}/active`), { active: false });
}

test('a schedule is made with its next times, switched off, changed and deleted', async () => {
  const page = await openSchedules();
  await page.getByRole('button', { name: 'New Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Schedule' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Fill this in').first().waitFor();
  await dialog.getByLabel('Name').fill('Nightly');
  await dialog.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option').first().click();
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('61 * * * *');
  await dialog.getByText('The minute "61" is not valid').first().waitFor();
  await dialog.getByRole('button', { name: 'Nightly' }).click();
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await dialog.getByText('At 02:00').waitFor();
  await dialog.getByText('Next times (Europe/Berlin)').waitFor();
  await expect.poll(() => dialog.locator('time').count()).toBe(5);
  await dialog.getByRole('combobox', { name: 'If due times were missed' }).click();
  await page.getByRole('option', { name: 'Run once for all of them' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Schedule Nightly created').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(await stored('Nightly')).toMatchObject({
    cron_format: '0 2 * * *',
    time_zone: 'Europe/Berlin',
    missed: 'run',
    active: true,
  });

  await page.getByRole('switch', { name: 'Active: Nightly' }).press('Space');
  await expect.poll(async () => (await stored('Nightly'))?.active).toBe(false);
  await page.getByRole('button', { name: 'Edit Nightly' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit schedule' });
  await edit.getByRole('textbox', { name: 'Cron' }).fill('@hourly');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Schedule Nightly saved').waitFor();
  expect(await stored('Nightly')).toMatchObject({ cron_format: '@hourly', active: false });
  await edit.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Delete Nightly' }).click();
  const question = page.getByRole('dialog', { name: 'Delete schedule' });
  await question.getByText('Its tasks are kept.').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Schedule Nightly deleted').waitFor();
  expect(await stored('Nightly')).toBeUndefined();
});

test('a schedule starts a workflow, whose page names it and adds the next one', async () => {
  const [template] = await call<{ id: number }[]>('GET', demo.api('templates'));
  const node = { type: 'template', key: 'hello', name: 'Hello', template_id: template?.id };
  const body = { name: 'Release train', graph: { nodes: [node] } };
  const { id } = await call<{ id: number }>('POST', demo.api('workflows'), body);
  const page = await openSchedules();
  await page.getByRole('button', { name: 'New Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Schedule' });
  await dialog.getByLabel('Name').fill('Train');
  await dialog.getByText('Run options').waitFor();
  await dialog.getByRole('combobox', { name: 'Target' }).click();
  await page.getByRole('option', { name: 'Workflow' }).click();
  await dialog.getByText('Run options').waitFor({ state: 'hidden' });
  await dialog.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: 'Release train' }).click();
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('@hourly');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Schedule Train created').waitFor();
  const [made] = await call<Schedule[]>('GET', list('?starts=workflows'));
  expect(made).toMatchObject({ name: 'Train', template_id: null, workflow_id: id });

  if (made) await wasDue(made, 0);
  const row = page.getByRole('row', { name: 'Train' });
  await row.getByRole('link', { name: /Run #/ }).click();
  await page.getByText('The schedule "Train" started the run.').waitFor();
  await page.getByRole('link', { name: 'Schedule Train' }).waitFor();
  await page.goto(demo.url(`workflows/${id}`));
  await page.getByRole('heading', { name: 'Schedules' }).waitFor();
  await page.getByRole('link', { name: 'Train', exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New Schedule' }).click();
  const next = page.getByRole('dialog', { name: 'New Schedule' });
  await expect
    .poll(() => next.getByRole('combobox', { name: 'Workflow' }).inputValue())
    .toBe('Release train');
  await next.getByRole('textbox', { name: 'Cron' }).fill('@daily');
  await next.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Schedule Release train created').waitFor();
});

test('every due time is told with what became of it, as it happens', async () => {
  const page = await openSchedules();
  const schedule = await call<Schedule>('POST', list(), {
    name: 'Every minute',
    template_id: demo.template(1),
    cron_format: '* * * * *',
    time_zone: 'UTC',
    // Switched on below: a minute may end before the page has shown that nothing was due.
    active: false,
  });
  await page.getByRole('link', { name: 'Every minute' }).click();
  await page.getByText('Not due yet').waitFor();
  await page.getByText('Every minute').first().waitFor();
  await wasDue(schedule, 170);
  const table = page.getByRole('table', { name: 'Due times' });
  await table.getByText('Missed').first().waitFor();
  await table.getByText('The server was down or busy.').first().waitFor();
  const started = table.getByRole('row').filter({ hasText: 'Started' }).first();
  await started.getByRole('link', { name: /^#\d+$/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('button', { name: 'Older' }).click();
  await table.getByText(/This entry stands for \d+ due times/).waitFor();
  await page.getByRole('button', { name: 'Newest' }).click();
  await started.getByRole('link', { name: /^#\d+$/ }).click();
  await page.getByRole('dialog').getByText('Task #').first().waitFor();
  await follow(page, demo.url('schedules'));
  await page.getByRole('row').filter({ hasText: 'Every minute' }).getByText('Started').waitFor();
  await call('PUT', list(`/${schedule.id}/active`), { active: false });
});

test('a guest sees when what runs, and changes nothing', async () => {
  const [first] = await call<Schedule[]>('GET', list());
  const { id, name } = { id: first?.id, name: first?.name ?? '' };
  const page = await openAs(console, demo, 'guest', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto(demo.url(`schedules?edit=${id}`));
  await page.getByRole('link', { name }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('button', { name: /New|Edit|Delete/ }).count()).toBe(0);
  expect(await page.getByRole('switch', { name: /^Active/ }).count()).toBe(0);
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name }).waitFor();
});
