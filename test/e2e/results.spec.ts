// Slow: runs that fail, a thousand hosts, and every view in both themes.
// What the console shows of a run of Ansible: its hosts, its tasks, their results, and why it failed.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth, shownLines, useConsole } from '../helpers/console.ts';
import { addProgram, addTemplate, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { contentOf } from '../helpers/download.ts';
import { makeGate } from '../helpers/gate.ts';
import { runOf, writeRun } from '../helpers/run-results.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const demo = useDemo(console);

const inventory = `
[servers]
db-1 ansible_connection=local
db-2 ansible_connection=local
web-2 ansible_connection=local
web-10 ansible_connection=local
gone ansible_host=127.0.0.1 ansible_port=1
`;

const playbook = (gate = 'true') => `
- name: Patch servers
  hosts: servers
  gather_facts: false
  tasks:
    - name: Write the settings
      ansible.builtin.copy:
        content: "one\\ntwo\\n"
        dest: "{{ playbook_dir }}/{{ inventory_hostname }}.conf"
    - name: Keep the password
      ansible.builtin.debug:
        msg: nobody reads this
      no_log: true
    - name: Wait
      ansible.builtin.shell: until ${gate}; do sleep 0.1; done
      changed_when: false
      run_once: true
    - name: Install the packages
      ansible.builtin.shell: test {{ item }} != broken || { echo no {{ item }} >&2; exit 3; }
      loop: [fine, broken]
      when: inventory_hostname == 'web-10'
      ignore_errors: true
    - name: Ask for the load
      ansible.builtin.fail:
        msg: The database is busy
      when: inventory_hostname is match('db-')
`;

let inventoryId: number | undefined;

async function addPlaybook(name: string, gate?: string): Promise<number> {
  const { call, api } = demo;
  const [key] = await call<{ id: number }[]>('GET', api('keys'));
  inventoryId ??= (
    await call<{ id: number }>('POST', api('inventory'), {
      name: 'Servers',
      type: 'static',
      inventory,
      ssh_key_id: key?.id,
    })
  ).id;
  return addTemplate(demo, {
    name,
    files: { 'patch.yml': playbook(gate) },
    playbook: 'patch.yml',
    inventory_id: inventoryId,
    environment_id: null,
  });
}

let failed: Promise<number> | undefined;

/** A run with failures of all kinds; one for all tests that only look at it. */
function failedRun(): Promise<number> {
  failed ??= (async () => {
    const { id } = await launchTask(demo, await addPlaybook('Patch'), { diff: true });
    await untilTask(demo, id, 'error');
    return id;
  })();
  return failed;
}

const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views of the run' }).getByRole('link', { name });

test('a failed run says why, opens at its first failure, and leads to hosts, tasks and lines', async () => {
  const id = await failedRun();
  const page = await demo.enter(`tasks/${id}`);
  const why = page.getByRole('region', { name: 'Why it failed' });
  await why.getByText('db-1, db-2: The database is busy').waitFor();
  await why.getByText('Task Ask for the load').waitFor();
  await why.getByText('patch.yml:23').waitFor();
  await why.getByText(/^gone: /).waitFor();
  // The failures that the playbook ignores are none.
  expect(await why.getByRole('listitem').count()).toBe(2);
  await expectAccessibleInBoth(page);
  await why.getByRole('link', { name: 'The database is busy' }).click();
  await page.waitForURL(/[?&]line=\d+/);
  await page
    .locator('[data-marked]')
    .getByText(/The database is busy/)
    .waitFor();

  await view(page, 'Hosts').click();
  await page.waitForURL(/view=hosts/);
  const hosts = page.getByRole('table', { name: 'Host results' });
  await hosts.getByRole('link').first().waitFor();
  expect(await hosts.getByRole('link').allTextContents()).toEqual([
    'gone',
    'db-1',
    'db-2',
    'web-10',
    'web-2',
  ]);
  await expectAccessibleInBoth(page);
  const link = page.getByRole('link', { name: 'Download as CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(await contentOf(download)).toContain('\r\nweb-2,');
  await page.getByRole('button', { name: /^Failed/ }).click();
  await expect.poll(() => hosts.getByRole('link').allTextContents()).toEqual(['db-1', 'db-2']);
  await page.getByRole('searchbox', { name: 'Search hosts' }).fill('db-2');
  await expect.poll(() => hosts.getByRole('link').allTextContents()).toEqual(['db-2']);

  // The results of one host: the failed one is open, and the change of a file is shown.
  await hosts.getByRole('link', { name: 'db-2' }).click();
  await page.getByRole('heading', { name: 'db-2' }).waitFor();
  await page.getByRole('button', { name: /Ask for the load/, expanded: true }).waitFor();
  await page.getByRole('button', { name: /Write the settings/ }).click();
  const added = page.locator('ins');
  await expect.poll(() => added.allTextContents()).toEqual(['one', 'two']);
  await page.getByRole('button', { name: /Keep the password/ }).click();
  await page.getByText(/Output hidden/).waitFor();
  await expectAccessibleInBoth(page);
  // The list is as it was left.
  await page.getByRole('link', { name: 'All hosts', exact: true }).click();
  await expect.poll(() => hosts.getByRole('link').allTextContents()).toEqual(['db-2']);

  await view(page, 'Tasks').click();
  const tasks = page.getByRole('table', { name: 'Tasks of the playbook' });
  await tasks.getByRole('cell', { name: 'Play Patch servers' }).waitFor();
  await tasks.getByText('patch.yml:18').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('switch', { name: 'Slowest first' }).click();
  await tasks.getByRole('cell', { name: 'Play Patch servers' }).waitFor({ state: 'detached' });
  await tasks.getByRole('link', { name: 'Install the packages' }).click();
  await page.getByRole('button', { name: /web-10/ }).click();
  await page.locator('pre', { hasText: 'no broken' }).waitFor();
  await page.getByText('1 changed, 1 failed').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'All results of web-10' }).click();
  await page.getByRole('heading', { name: 'web-10' }).waitFor();
});

test('an address opens the same view again, in the dialog as well, and by keyboard alone', async () => {
  const id = await failedRun();
  const page = await demo.enter(`history?t=${id}&view=hosts&host=db-1`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'db-1' }).waitFor();
  await dialog.getByRole('link', { name: 'All hosts', exact: true }).press('Enter');
  const list = dialog.getByRole('region', { name: 'Host results' });
  await list.getByRole('link', { name: 'gone' }).press('Enter');
  await dialog
    .getByRole('button', { name: /Write the settings|Gathering/, expanded: true })
    .waitFor();
  await view(page, 'Tasks').press('Enter');
  await dialog.getByRole('link', { name: 'Ask for the load' }).press('Enter');
  // The first failure is open: that of the host which answered first.
  const open = dialog.getByRole('button', { name: /db-[12]/, expanded: true });
  await open.press('Enter');
  await open.waitFor({ state: 'detached' });
  await dialog
    .getByRole('link', { name: /^Line \d+$/ })
    .last()
    .press('Enter');
  await page.locator('[data-marked]').waitFor();
  // Another view is another step of the browser's history.
  await page.goBack();
  await dialog.getByRole('heading', { name: 'Ask for the load' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test('a heading of the log leads to the results of its task', async () => {
  const page = await demo.enter(`tasks/${await failedRun()}?line=2`);
  await page.getByTitle('Results of Write the settings').click();
  await page.getByRole('heading', { name: 'Write the settings' }).waitFor();
});

test('the lines of hosts that failed unfold their results, also those of items and ignored ones', async () => {
  const page = await demo.enter(`tasks/${await failedRun()}?line=1`);
  const unfold = page.getByRole('button', { name: 'Show the result in lines' });
  const untilFailed = async (...parts: string[]) => {
    await until(async () => {
      const lines = await unfold.evaluateAll((all) =>
        all.map((one) => one.parentElement?.textContent),
      );
      return parts.every((part) => lines.some((line) => line?.includes(part)));
    });
  };
  await untilFailed('fatal: [gone]: ');
  const log = page.getByRole('log');
  await log.press('End');
  await untilFailed('[web-10] (item=broken)', '[db-1]: ', '[db-2]: ');
  await log.press('Home');
  await unfold.first().click();
  await page.locator('code', { hasText: '"unreachable": true' }).waitFor();
  await log.getByRole('button', { name: 'Copy text' }).waitFor();
});

test('the views of a running task go on without losing what is open, and its log stays at its end', async () => {
  const gate = await makeGate();
  const { id } = await launchTask(demo, await addPlaybook('Held', gate.isOpen));
  const page = await demo.enter(`tasks/${id}?view=hosts&host=db-1`);
  const settings = page.getByRole('button', { name: /Write the settings/ });
  await settings.click();
  await settings.and(page.getByRole('button', { expanded: true })).waitFor();
  const other = await console.enter();
  await other.goto(demo.url(`tasks/${id}`));
  await until(async () => (await shownLines(other)).length > 0);
  await gate.open();
  await page.getByRole('button', { name: /Ask for the load/ }).waitFor();
  await settings.and(page.getByRole('button', { expanded: true })).waitFor();
  expect(await settings.evaluate((element) => element === document.activeElement)).toBe(true);
  await other.getByRole('region', { name: 'Why it failed' }).waitFor();
  await other
    .getByRole('log')
    .getByText(/exit code/)
    .waitFor();
});

test('a run is repeated on the hosts that failed, and on those that are chosen', async () => {
  const id = await failedRun();
  const page = await demo.enter(`tasks/${id}?view=hosts`);
  await page.getByRole('button', { name: 'Re-run on failed hosts (3)' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select web-2' }).check();
  await page.getByRole('checkbox', { name: 'Select web-10' }).check();
  await page.getByRole('checkbox', { name: 'Select web-10' }).uncheck();
  await page.getByRole('button', { name: 'Re-run on selected hosts (1)' }).click();
  const question = page.getByRole('dialog');
  await question.getByText(/on these hosts only: web-2$/).waitFor();
  await expectAccessibleInBoth(page);
  await question.getByRole('button', { name: 'Re-run', exact: true }).click();
  await page.waitForURL((url) => /tasks\/\d+$/.test(url.pathname) && !url.search);
  const next = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  expect(next).toBeGreaterThan(id);
  await untilTask(demo, next, 'success');
  await page.goto(demo.url(`tasks/${next}?view=hosts`));
  const hosts = page.getByRole('table', { name: 'Host results' });
  await hosts.getByRole('link').first().waitFor();
  expect(await hosts.getByRole('link').allTextContents()).toEqual(['web-2']);
});

test('a thousand hosts take few elements, and the last one is found by scrolling', async () => {
  const { id } = await launchTask(demo, await addProgram(demo, 'Thousand', 'echo done\n'));
  await untilTask(demo, id, 'success');
  const names = Array.from({ length: 1000 }, (_, index) => `web-${index + 1}`);
  const tasks = Array.from({ length: 100 }, (_, index) => ({
    name: `Step ${index + 1}`,
    on: (host: number) =>
      index === 7 && host === 499
        ? ({ state: 'failed', message: 'No space left' } as const)
        : ({ state: host % 3 === 0 ? 'changed' : 'ok' } as const),
  }));
  await writeRun(console.server.dataDir, id, runOf(names, tasks));
  const page = await demo.enter(`tasks/${id}?view=hosts`);
  const list = page.getByRole('region', { name: 'Host results' });
  await list.getByRole('link', { name: 'web-500', exact: true }).waitFor();
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
  expect(await elements()).toBeLessThan(3000);
  await list.press('End');
  await list.getByRole('link', { name: 'web-999', exact: true }).waitFor();
  expect(await elements()).toBeLessThan(3000);
  await page.goto(demo.url(`tasks/${id}?view=tasks&section=9`));
  await page.getByRole('button', { name: 'Failed 1' }).click();
  await page.getByText('No space left').waitFor();
  await page.getByRole('button', { name: 'All 1,000' }).click();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('button', { name: /^OK web-150/ }).waitFor();
});

test('a program that failed shows its last words and what to do, and has no other views', async () => {
  const script = 'echo one; echo "no such cluster" >&2; exit 7\n';
  const { id } = await launchTask(demo, await addProgram(demo, 'Failing', script));
  await untilTask(demo, id, 'error');
  const page = await demo.enter(`tasks/${id}`);
  const why = page.getByRole('region', { name: 'Why it failed' });
  await why.getByText(/ended with the exit code 7/).waitFor();
  await why.getByText('no such cluster').waitFor();
  await why.getByText(/Fix the error shown in the last log lines/).waitFor();
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Views of the run' }).count())
    .toBe(0);
  await expectAccessibleInBoth(page);
});
