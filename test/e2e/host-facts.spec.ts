// Slow: two runs of Ansible.
// The facts of a host, from the settings of the project to the page of the host.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { addTemplate, codeOf, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { commitFiles } from '../helpers/seed.ts';
import { tabTo } from '../helpers/tab-to.ts';

const console = useConsole();
const demo = useDemo(console);

const playbook = `
- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.setup:
        gather_subset: ['!all', '!min', 'python', 'local']
        fact_path: "{{ playbook_dir }}/facts"
`;
const release = (version: string) => ({ 'facts/app.fact': `{ "version": "${version}" }\n` });

async function addGathering(): Promise<number> {
  const { call, api } = demo;
  const [key] = await call<{ id: number }[]>('GET', api('keys'));
  const { id } = await call<{ id: number }>('POST', api('inventory'), {
    name: 'Facts',
    type: 'static',
    inventory: 'app-1 ansible_connection=local\n',
    ssh_key_id: key?.id,
  });
  return addTemplate(demo, {
    name: 'Gather',
    files: { 'gather.yml': playbook, ...release('1.4.0') },
    playbook: 'gather.yml',
    inventory_id: id,
    environment_id: null,
  });
}

/** From the list of hosts to the page of one and to the task that told its facts, and back. */
async function walkByKeyboard(page: Page, task: number): Promise<void> {
  await page.goto(demo.url('hosts'));
  const search = page.getByRole('searchbox', { name: 'Search hosts' });
  await tabTo(page, search);
  await page.keyboard.type('app');
  await page.waitForURL(/[?&]q=app/);
  const list = page.getByRole('table', { name: 'Hosts' });
  const byRun = list.getByRole('columnheader', { name: 'Last run' });
  await tabTo(page, byRun.getByRole('button'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]sort=last_run/);
  // What a screen reader is told: the order, the outcomes in words, and where the link leads.
  await expect.poll(() => byRun.getAttribute('aria-sort')).toMatch(/^(?:a|de)scending$/);
  await list.getByRole('img', { name: /^Last results: Task #\d+: OK/ }).waitFor();
  await tabTo(page, list.getByRole('link', { name: 'app-1' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'app-1' }).waitFor();
  const changes = page.getByRole('table', { name: 'Changed facts' });
  await tabTo(page, changes.getByRole('link', { name: `#${task}` }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Hosts' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await tabTo(page, page.getByRole('link', { name: 'Hosts' }).last(), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await list.getByRole('link', { name: 'app-1' }).waitFor();
  await page.goto(demo.url('hosts/app-1'));
  await changes.waitFor();
}

test('facts that the project keeps stand on the page of the host, with what changed', async () => {
  const template = await addGathering();
  const page = await console.enter();
  const host = demo.url('hosts/app-1');
  await page.goto(host);
  await page.getByText('To keep facts of hosts, choose them in the project settings.').waitFor();

  await page.goto(demo.url('settings'));
  await page.getByRole('checkbox', { name: 'Keep host facts' }).check();
  const names = page.getByRole('combobox', { name: 'Facts' });
  const save = page.getByRole('button', { name: 'Save' }).first();
  await names.fill('no-fact');
  await names.press('Enter');
  await save.click();
  await page.getByText(/^Use a name in ansible_facts/).waitFor();
  await expectAccessibleInBoth(page);
  await names.press('Backspace');
  for (const name of ['local.app.version', 'ansible_python']) {
    await names.fill(name);
    await names.press('Enter');
  }
  await save.click();
  await page.getByText(/^Project .* saved$/).waitFor();

  const first = await launchTask(demo, template);
  await untilTask(demo, first.id, 'success');
  await page.goto(host);
  const facts = page.getByRole('table', { name: 'Facts', exact: true });
  await facts.getByRole('row', { name: /local\.app\.version 1\.4\.0/ }).waitFor();
  await facts.getByRole('row', { name: /python \{.*"type": "cpython"/ }).waitFor();
  await page.getByText('No fact changed in the stored tasks.').waitFor();

  await commitFiles(codeOf(demo, 'Gather'), release('1.5.0'));
  const second = await launchTask(demo, template);
  await untilTask(demo, second.id, 'success');
  // The page that is open follows.
  await facts.getByRole('row', { name: /local\.app\.version 1\.5\.0/ }).waitFor();
  const changes = page.getByRole('table', { name: 'Changed facts' });
  const change = changes.getByRole('row', { name: /local\.app\.version 1\.4\.0\s+1\.5\.0/ });
  await change.getByText(`#${second.id}`).waitFor();
  expect(await changes.getByRole('row').count()).toBe(2);
  await expectAccessibleInBoth(page);
  await walkByKeyboard(page, second.id);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessibleInBoth(page);
  await change.getByText('1.5.0').waitFor();
});
