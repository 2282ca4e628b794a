// Slow: it walks through the screens of a member with a role of the project's own.

import { builtInRights, completeRights } from '#shared/rights.ts';
import { expect, test } from 'vitest';
import { installationRoles, projectRoles } from '#shared/api/roles.ts';
import type { Member } from '#shared/api/members.ts';
import { expectAccessibleAtAllSizes, useConsole } from '../helpers/console.ts';
import { addHeld, launchTask, readTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const roles = () => call<{ slug: string; rights: string[] }[]>('GET', demo.api('roles'));

test('a member on call has the buttons of the role, and none of them is refused', async () => {
  const template = await addHeld(demo);
  const member = await openAs(console, demo, 'guest');
  const owner = await demo.enter('team');
  await owner.getByRole('link', { name: 'Roles', exact: true }).click();
  await owner.getByRole('button', { name: 'New role' }).click();
  const dialog = owner.getByRole('dialog', { name: 'New role' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('On-call');
  for (const right of ['Re-run tasks', 'Stop tasks', 'Confirm tasks']) {
    await dialog.getByRole('checkbox', { name: right, exact: true }).check();
  }
  await expectAccessibleAtAllSizes(owner);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await owner.getByText('Role On-call created').waitFor();
  expect(await roles()).toMatchObject([
    {
      slug: 'on-call',
      rights: completeRights([...builtInRights.guest, 'task.restart', 'task.stop', 'task.confirm']),
    },
  ]);
  await owner.getByRole('link', { name: 'Members', exact: true }).click();
  await owner.getByRole('combobox', { name: 'Role of The guest' }).click();
  await owner.getByRole('option', { name: /^On-call/ }).click();
  await owner.getByText('The guest: On-call').waitFor();

  const { id } = await launchTask(demo, template);
  await member.goto(demo.url(`tasks/${id}`));
  await member.getByText('On-call', { exact: true }).waitFor();
  await member.getByRole('button', { name: 'Confirm', exact: true }).click();
  await untilTask(demo, id, 'success');
  await member.getByRole('button', { name: `Re-run task #${id}` }).click();
  const question = member.getByRole('dialog', { name: `Re-run task #${id}` });
  await question.getByRole('button', { name: 'Re-run', exact: true }).click();
  await member.waitForURL(/\/tasks\/\d+$/);
  await expect.poll(() => Number(member.url().split('/').at(-1))).toBeGreaterThan(id);
  const again = Number(member.url().split('/').at(-1));
  await member.getByRole('button', { name: 'Stop', exact: true }).click();
  const stop = member.getByRole('dialog', { name: `Stop task #${again}?` });
  await stop.getByRole('button', { name: 'Stop', exact: true }).click();
  await untilTask(demo, again, 'stopped');
  expect((await readTask(demo, again)).status).toBe('stopped');

  await member.goto(demo.url(`templates/${template}`));
  const run = member.getByRole('button', { name: 'Run', exact: true });
  await expect
    .poll(() => run.getAttribute('aria-description'))
    .toBe('Your role does not have the right “Run templates”');
  const changing = member.getByRole('main').getByRole('button', { name: /^(?:New|Edit|Delete)\b/ });
  for (const path of ['templates', 'keys', 'repositories', 'schedules', 'team', 'team/roles']) {
    await member.goto(demo.url(path));
    await member.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => changing.count()).toBe(0);
  }
});

test('whoever manages a team gives no role with more rights than their own', async () => {
  const rights = ['member.manage' as const, 'task.stop' as const, 'workflow.approve' as const];
  await call('POST', demo.api('roles'), projectRoles.create.body.parse({ name: 'Lead', rights }));
  const lead = await openAs(console, demo, 'lead');
  await lead.goto(demo.url('team'));
  const administrator = lead.getByRole('row', { name: /^Administrator/ });
  await administrator.getByText('Owner', { exact: true }).waitFor();
  expect(await administrator.getByRole('button').count()).toBe(0);
  await lead.getByRole('combobox', { name: 'Role of The lead' }).click();
  const options = lead.getByRole('option');
  await expect.poll(async () => (await options.allInnerTexts()).length).toBe(2);
  const names = (await options.allInnerTexts()).map((text) => text.split('\n')[0]);
  expect(names).toEqual(['Guest', 'Lead']);
});

test('a role of the installation is given in all projects, and cannot be deleted meanwhile', async () => {
  const page = await demo.enter('history');
  await page.goto(`${console.server.address}/roles`);
  await page.getByRole('button', { name: 'New role' }).click();
  const name = demo.only('Auditor');
  const dialog = page.getByRole('dialog', { name: 'New role' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('checkbox', { name: 'Read environments' }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText(`Role ${name} created`).waitFor();
  const listed = await call<{ name: string; slug: string }[]>('GET', installationRoles.list.path);
  const slug = listed.find((role) => role.name === name)?.slug ?? '';
  await openAs(console, demo, slug);
  const team = await call<Member[]>('GET', demo.api('users'));
  expect(team.map(({ role }) => role)).toContain(slug);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByText(/^This role is in use: members: 1, access to objects: 0, group rules: 0, /)
    .waitFor();
});
