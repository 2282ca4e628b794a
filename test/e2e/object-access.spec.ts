// Slow: it walks through the screens of an owner and of a member with one template.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { projectRoles } from '#shared/api/roles.ts';
import { addProgram, untilTask } from '../helpers/console-tasks.ts';
import { expectAccessible, expectAccessibleAtAllSizes, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const demo = useDemo(console);

async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}

test('a member without any right launches the one template that an owner opens to them', async () => {
  const template = await addProgram(demo, 'Vendor job', 'echo done by the vendor\n');
  const role = projectRoles.create.body.parse({ name: 'Vendor', rights: [] });
  await console.call('POST', demo.api('roles'), role);
  const vendor = await openAs(console, demo, 'vendor');

  const owner = await demo.enter(`templates/${template}`);
  await owner.getByRole('link', { name: 'Access', exact: true }).click();
  await owner.getByRole('heading', { name: 'Access to Vendor job' }).waitFor();
  await choose(owner, 'Who sees it', 'Restricted and hidden from others');
  await owner.getByRole('button', { name: 'Give access', exact: true }).click();
  const dialog = owner.getByRole('dialog', { name: 'Give access' });
  await dialog.getByRole('combobox', { name: 'Person' }).click();
  await owner.getByRole('option', { name: /^The vendor/ }).click();
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await owner.getByRole('option', { name: 'Task Runner' }).click();
  await dialog.getByRole('button', { name: 'Limits' }).click();
  await dialog.getByRole('checkbox', { name: 'Only at some hours' }).check();
  await expectAccessibleAtAllSizes(owner);
  await dialog.getByRole('checkbox', { name: 'Only at some hours' }).uncheck();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await owner.getByText('Access given: The vendor · Vendor job').waitFor();
  const row = owner.getByRole('row', { name: /^The vendor/ });
  await row.getByText('Role Task Runner on it').filter({ visible: true }).waitFor();
  await row.getByRole('button', { name: /^Read logs, Run\./ }).click();
  await owner.getByRole('dialog').getByText('Run templates', { exact: true }).waitFor();
  await owner.keyboard.press('Escape');
  await expectAccessibleAtAllSizes(owner);
  await owner.goto(demo.url('templates'));
  await owner
    .getByRole('row', { name: /Vendor job/ })
    .getByText('Restricted')
    .waitFor();

  await vendor.goto(demo.url('templates'));
  await vendor.getByRole('link', { name: 'Vendor job' }).waitFor();
  expect(await vendor.getByRole('button', { name: /^(?:Run|Build|Deploy) / }).count()).toBe(1);
  await expectAccessible(vendor);
  await vendor.getByRole('button', { name: 'Run Vendor job' }).click();
  await vendor.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await vendor.waitForURL(/[?&]t=\d+/);
  const id = Number(new URL(vendor.url()).searchParams.get('t'));
  await untilTask(demo, id, 'success');
  await vendor.getByText('done by the vendor').waitFor();

  const screens = ['history', `templates/${template}`, 'workflows', 'schedules', 'inventory'];
  for (const screen of [...screens, 'hosts', 'environment', 'keys', 'repositories', 'team']) {
    await vendor.goto(demo.url(screen));
    await vendor.getByRole('heading', { level: 1 }).waitFor();
    await vendor.waitForLoadState('networkidle');
    expect(await vendor.getByRole('button', { name: /^(?:New|Edit|Delete)\b/ }).count()).toBe(0);
    expect(await vendor.getByRole('alert').allInnerTexts()).toEqual([]);
  }
});

test('all grants of a project are listed, and what a person may do with each object', async () => {
  const page = await demo.enter('team');
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  const row = page.getByRole('row', { name: /The vendor/ });
  await row.getByRole('link', { name: 'Vendor job' }).waitFor();
  expect(await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toMatch(
    /\/grants\/export$/,
  );
  await expectAccessibleAtAllSizes(page);
  await page.getByRole('searchbox', { name: 'Search people, objects and roles' }).fill('nothing');
  await page.getByText('Nothing found').waitFor();
  await page.goto(demo.url('team'));
  await page.getByRole('link', { name: 'The vendor' }).click();
  await page.getByRole('heading', { name: 'What may The vendor do?' }).waitFor();
  await page
    .getByRole('row', { name: /Vendor job/ })
    .getByText('Read logs, Run')
    .waitFor();
  await expectAccessibleAtAllSizes(page);
  await page.goto(demo.url('team/access'));
  await row.getByRole('button', { name: /^Delete The vendor/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Access taken away: The vendor · Vendor job').waitFor();
  await page.getByText('No access to single objects').waitFor();
});

test('the tab of a restricted view has a lock', async () => {
  const title = demo.only('Production');
  const { id } = await console.call<{ id: number }>('POST', demo.api('views'), { title });
  const body = { object_type: 'view', object_id: id, mode: 'named' };
  await console.call('POST', demo.api('restrictions'), body);
  const page = await demo.enter('templates');
  await page.getByRole('link', { name: `${title} Restricted` }).waitFor();
  await expectAccessibleAtAllSizes(page);
});
