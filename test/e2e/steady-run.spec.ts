// Slow: runs of Ansible that are watched from their launch to their end.
// What people point at on the page of a task stays where it is while the run goes on.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { addTemplate, codeOf, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { makeGate } from '../helpers/gate.ts';
import { commitFiles } from '../helpers/seed.ts';

const console = useConsole();
const demo = useDemo(console);

const playbook = (before: string, after: string) => `
- name: A play with a name that is as long as names of plays happen to be
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Begin
      ansible.builtin.shell: ${before}
      changed_when: false
    - name: A task that has a long name too, which the head of the page tells while it runs
      ansible.builtin.command: "true"
    - name: Go on
      ansible.builtin.shell: ${after}
      changed_when: false
    - name: Break
      ansible.builtin.fail:
        msg: The signal is red
`;

/** A run that waits twice: before its first result, and after a changed one. */
async function addHeldTwice(name: string) {
  const [first, second] = [await makeGate(), await makeGate()];
  const files = { 'patch.yml': playbook(first.wait, second.wait) };
  const inventory_id = await localhost();
  const template = await addTemplate(demo, {
    name,
    files,
    playbook: 'patch.yml',
    inventory_id,
    environment_id: null,
  });
  return { template, first, second };
}

async function localhost(): Promise<number> {
  const inventory = 'localhost ansible_connection=local\n';
  const [key] = await demo.call<{ id: number }[]>('GET', demo.api('keys'));
  const body = { name: demo.only('Here'), type: 'static', inventory, ssh_key_id: key?.id };
  const known = await demo.call<{ id: number; name: string }[]>('GET', demo.api('inventory'));
  const found = known.find(({ name }) => name === body.name);
  return found?.id ?? (await demo.call<{ id: number }>('POST', demo.api('inventory'), body)).id;
}

const topOf = async (place: Locator): Promise<number | undefined> =>
  (await place.first().boundingBox())?.y;

const sizes = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
];

test('the row of a result stays in its place when the counts of its host come after it', async () => {
  const { template, first, second } = await addHeldTwice('Late counts');
  const { id } = await launchTask(demo, template);
  const page = await console.enter();
  // As if the list of hosts had been asked for just before the first result.
  await page.route(`**${demo.api(`tasks/${id}/hosts`)}`, (route) => route.fulfill({ json: [] }));
  await first.open();
  await page.goto(demo.url(`tasks/${id}?view=hosts&host=localhost`));
  const row = page.getByRole('button', { name: /Begin/ });
  await row.waitFor();
  const before = await topOf(row);
  await page.unroute(`**${demo.api(`tasks/${id}/hosts`)}`);
  await second.open();
  await page.getByRole('button', { name: 'Failed 1' }).waitFor();
  expect(await topOf(row)).toBe(before);
  // The numbers are those of the rows; Ansible counts what was changed as OK too.
  await page.getByRole('button', { name: 'All 4' }).waitFor();
  await page.getByRole('button', { name: 'OK 2' }).click();
  const rows = page.getByRole('region', { name: 'Results' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
});

test('tabs, tools and log stay in their places from the launch until the end of a run', async () => {
  for (const size of sizes) {
    const name = `Steady ${size.width}`;
    const earlier = await addHeldTwice(name);
    const { id: before } = await launchTask(demo, earlier.template);
    await untilTask(demo, before, 'running');
    const [first, second] = [await makeGate(), await makeGate()];
    await commitFiles(codeOf(demo, name), { 'patch.yml': playbook(first.wait, second.wait) });
    const { id } = await launchTask(demo, earlier.template);
    const page = await console.enter();
    await page.setViewportSize(size);
    await page.goto(demo.url(`tasks/${id}`));
    await page.getByText(`Waiting for task #${before} of the same template.`).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Views of the run' });
    const search = page.getByRole('searchbox', { name: 'Search the log' });
    const places = async () => [await topOf(tabs), await topOf(search)];
    await search.waitFor();
    const waiting = await places();
    await Promise.all([earlier.first.open(), earlier.second.open()]);
    await page.getByText(/A play with a name that.* · Begin/).waitFor();
    // On a small screen, what the task waited for had a row of its own.
    const steady = size.width > 720 ? waiting : await places();
    expect(await places()).toEqual(steady);
    await first.open();
    await page.getByText(/A play with a name that.* · Go on/).waitFor();
    expect(await places()).toEqual(steady);
    await second.open();
    await untilTask(demo, id, 'error');
  }
});

test('the rows of the hosts stay where they are when the run ends, and may be chosen before', async () => {
  const { template, first, second } = await addHeldTwice('Chosen early');
  await first.open();
  const { id } = await launchTask(demo, template);
  const page = await demo.enter(`tasks/${id}?view=hosts`);
  const link = page.getByRole('link', { name: 'localhost' });
  await link.waitFor();
  const before = await link.boundingBox();
  await page.getByRole('checkbox', { name: 'Select localhost' }).check();
  const again = page.getByRole('button', { name: 'Re-run on selected hosts (1)' });
  await again.hover();
  await page.getByText('Available after the task has ended.').waitFor();
  await page.mouse.move(0, 0);
  await second.open();
  await page.getByRole('button', { name: 'Re-run on failed hosts (1)' }).waitFor();
  expect(await link.boundingBox()).toEqual(before);
  await again.click();
  await page
    .getByRole('dialog')
    .getByText(/on these hosts only: localhost$/)
    .waitFor();
});

/** The answered function tells the places that the log has had since. */
async function watchLog(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const tops: number[] = [];
    Object.assign(globalThis, { tops });
    const look = (): void => {
      const top = document.querySelector('[role=log]')?.getBoundingClientRect().top;
      if (top !== undefined && top !== tops.at(-1)) tops.push(top);
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (globalThis as unknown as { tops: number[] }).tops);
}

test('what a failed run tells above its log comes in one piece', async () => {
  const { template, first, second } = await addHeldTwice('One piece');
  await first.open();
  const { id } = await launchTask(demo, template);
  const page = await demo.enter(`tasks/${id}`);
  await page.getByRole('log').getByText('Go on').waitFor();
  const moves = await watchLog(page);
  // The failures are told last, whatever the machine does.
  const outputs = page.waitForResponse(`**${demo.api(`tasks/${id}/outputs`)}`);
  await page.route(`**${demo.api(`tasks/${id}/failures`)}`, async (route) => {
    await outputs;
    await route.continue();
  });
  await second.open();
  await page.getByRole('region', { name: 'Why it failed' }).waitFor();
  await page.getByText('No earlier task with this inventory succeeded.').waitFor();
  expect(await moves()).toHaveLength(2);
});

test('a task that is left while its log is still loaded leaves no error behind', async () => {
  const { id } = await launchTask(demo, demo.template(1));
  await untilTask(demo, id, 'success');
  const page = await console.enter();
  // What a browser does with requests of a page that is left, at a moment that a test can name.
  const left = Promise.withResolvers<void>();
  await page.route(/assets\/task-log.*\.css$/, async (route) => {
    await route.abort();
    left.resolve();
  });
  // The log is loaded before the task is read, whatever the machine does.
  await page.route(`**${demo.api(`tasks/${id}`)}`, async (route) => {
    await left.promise;
    await route.continue();
  });
  await page.goto(demo.url(`history?t=${id}`));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Hosts' }).waitFor();
  await dialog.getByRole('log').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});
