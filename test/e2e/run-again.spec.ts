// Slow: runs of Ansible that fail and are repeated, in the browser.
// What follows a failed run: the way to the file in the repository, and runs on some hosts only.

import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunHost } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { addTemplate, launchTask, readTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { tabTo } from '../helpers/tab-to.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const demo = useDemo(console);

const playbook = `
- name: Patch servers
  hosts: all
  gather_facts: false
  tasks:
    - name: Ask for the load
      ansible.builtin.fail:
        msg: The database is busy
      when: inventory_hostname is match('db-')
`;

let made: Promise<number> | undefined;

/** A template whose runs fail on two of its four hosts; one for all tests. */
function failing(): Promise<number> {
  made ??= (async () => {
    const { call, api } = demo;
    const [key] = await call<{ id: number }[]>('GET', api('keys'));
    const names = ['db-1', 'db-2', 'web-1', 'web-2'];
    const inventory = names.map((name) => `${name} ansible_connection=local\n`).join('');
    const fields = { name: 'Four', type: 'static', inventory, ssh_key_id: key?.id };
    const { id } = await call<{ id: number }>('POST', api('inventory'), fields);
    return addTemplate(demo, {
      name: 'Patch four',
      files: { 'site/patch.yml': playbook },
      playbook: 'site/patch.yml',
      inventory_id: id,
      environment_id: null,
    });
  })();
  return made;
}

async function failedTask(): Promise<Task> {
  const { id } = await launchTask(demo, await failing());
  return untilTask(demo, id, 'error');
}

const hostsOf = async (id: number): Promise<string[]> =>
  (await demo.call<RunHost[]>('GET', demo.api(`tasks/${id}/hosts`))).map(({ host }) => host);

/** The number of the task that the page shows, once it is another one than before. */
async function nextTask(page: Page, before: number): Promise<number> {
  const shown = (url: URL): number => Number(/tasks\/(\d+)$/.exec(url.pathname)?.[1] ?? before);
  await page.waitForURL((url) => shown(url) !== before);
  return shown(new URL(page.url()));
}

/** What the head of a task says under this name. */
const fact = (page: Page, name: string): Locator =>
  page
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]');

test('the place of a failure leads to the host of the repository', async () => {
  const { id, commit_hash: hash } = await failedTask();
  const page = await console.enter();
  const db = openDatabase(`sqlite:${join(console.server.dataDir, 'signalbox.db')}`);
  const { snapshot } = await db
    .selectFrom('tasks')
    .select('snapshot')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const places = [
    ['git@github.com:team/play.git', `https://github.com/team/play/blob/${hash}/`, '#L6'],
    [
      'https://gitlab.com/team/sub/play.git',
      `https://gitlab.com/team/sub/play/-/blob/${hash}/`,
      '#L6',
    ],
    [
      'https://gitea.example.com/team/play',
      `https://gitea.example.com/team/play/src/commit/${hash}/`,
      '#L6',
    ],
    [
      'ssh://git@forgejo.example.com/team/play.git',
      `https://forgejo.example.com/team/play/src/commit/${hash}/`,
      '#L6',
    ],
    [
      'https://bitbucket.org/team/play.git',
      `https://bitbucket.org/team/play/src/${hash}/`,
      '#lines-6',
    ],
  ] as const;
  const words = 'site/patch.yml:6';
  await page.goto(demo.url(`tasks/${id}`));
  const why = page.getByRole('region', { name: 'Why it failed' });
  // The repository lies on the server, so no page shows its files.
  await why.getByText(words).waitFor();
  expect(await why.getByRole('link', { name: words }).count()).toBe(0);
  for (const [url, begin, end] of places) {
    const { repository, ...rest } = JSON.parse(snapshot) as { repository: object };
    const moved = JSON.stringify({ ...rest, repository: { ...repository, git_url: url } });
    await db.updateTable('tasks').set({ snapshot: moved }).where('id', '=', id).execute();
    for (const view of ['', '?view=tasks']) {
      await page.goto(demo.url(`tasks/${id}${view}`));
      const part = view ? page.getByRole('table', { name: 'Tasks of the playbook' }) : why;
      const link = part.getByRole('link', { name: words });
      await expect.poll(() => link.getAttribute('href')).toBe(`${begin}site/patch.yml${end}`);
      expect(await link.getAttribute('rel')).toContain('noreferrer');
    }
  }
  await db.destroy();
});

test('all shown hosts are ticked at once, and the head of the new task says where it runs', async () => {
  const { id } = await failedTask();
  const page = await demo.enter(`tasks/${id}?view=hosts`);
  const shown = page.getByRole('button', { name: 'Select all shown' });
  await page.getByRole('checkbox', { name: 'Select db-2' }).check();
  await page.getByRole('searchbox', { name: 'Search hosts' }).fill('web');
  await page.getByRole('checkbox', { name: 'Select db-2' }).waitFor({ state: 'detached' });
  await shown.click();
  // What was chosen before stays chosen.
  await page.getByRole('button', { name: 'Re-run on selected hosts (3)' }).waitFor();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  expect(await shown.evaluate((element) => element === document.activeElement)).toBe(true);
  await shown.click();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Re-run on selected hosts (2)' }).click();
  const question = page.getByRole('dialog');
  await question.getByText(/on these hosts only: web-1, web-2$/).waitFor();
  await question.getByRole('button', { name: 'Re-run', exact: true }).click();
  const next = await nextTask(page, id);
  await untilTask(demo, next, 'success');
  expect(await hostsOf(next)).toEqual(['web-1', 'web-2']);
  await expect.poll(() => fact(page, 'Re-run of').textContent()).toBe(`#${id}`);
  await expect.poll(() => fact(page, 'Only on').textContent()).toBe('web-1, web-2');
  await fact(page, 'Re-run of').getByRole('link').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: `#${id}` }).waitFor();
  expect(await dialog.locator('dt', { hasText: 'Only on' }).count()).toBe(0);
});

test('nobody who may only look is offered hosts to tick', async () => {
  const { id } = await failedTask();
  const guest = demo.only('looker');
  const password = 'correct horse battery staple';
  const { id: user_id } = await console.call<{ id: number }>('POST', '/api/users', {
    name: guest,
    username: guest,
    email: `${guest}@example.com`,
    password,
  });
  await demo.call('POST', demo.api('users'), { user_id, role: 'guest' });
  const page = await console.open('/auth/login');
  await console.signIn(page, guest, password);
  await page.waitForURL('**/project/**');
  await page.goto(demo.url(`tasks/${id}?view=hosts`));
  await page.getByRole('link', { name: 'db-1' }).waitFor();
  expect(await page.getByRole('button', { name: 'Select all shown' }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
});

test('a retry runs only on the hosts that failed, when the form of the template says so', async () => {
  const template = await failing();
  const page = await demo.enter(`templates/${template}?edit=${template}`);
  const form = page.getByRole('form', { name: 'Edit template' });
  await form.getByLabel('Retries after a failure').fill('1');
  const tick = form.getByRole('checkbox', {
    name: 'Retry only on hosts that failed or were unreachable',
  });
  await tick.focus();
  await tick.press('Space');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Template Patch four saved').waitFor();
  const read = () => demo.call<Template>('GET', demo.api(`templates/${template}`));
  expect(await read()).toMatchObject({ retries: 1, retry_failed_hosts: true });
  const first = await failedTask();
  expect(await hostsOf(first.id)).toHaveLength(4);
  const retry = await until(async () => {
    const all = await demo.call<Task[]>('GET', demo.api(`templates/${template}/tasks`));
    return all.find(({ retry_of: of }) => of === first.id);
  });
  await untilTask(demo, retry.id, 'error');
  expect(await hostsOf(retry.id)).toEqual(['db-1', 'db-2']);
  await page.goto(demo.url(`tasks/${retry.id}`));
  await expect.poll(() => fact(page, 'Only on').textContent()).toBe('db-1, db-2');
  await expect.poll(() => fact(page, 'Attempt').textContent()).toContain(`#${first.id}`);
  await page.goto(demo.url(`templates/${template}?edit=${template}`));
  await expect.poll(() => tick.isChecked()).toBe(true);
  const { call, api } = demo;
  await call('PUT', api(`templates/${template}`), { ...(await read()), retries: 0 });
});

test('hosts are ticked and a run is repeated on them by keyboard alone', async () => {
  const { id } = await failedTask();
  const page = await demo.enter(`tasks/${id}`);
  const views = page.getByRole('navigation', { name: 'Views of the run' });
  await tabTo(page, views.getByRole('link', { name: 'Hosts' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Re-run on failed hosts (2)' }));
  await tabTo(page, page.getByRole('checkbox', { name: 'Select db-2' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('checkbox', { name: 'Select web-1' }));
  await page.keyboard.press('Space');
  const again = page.getByRole('button', { name: 'Re-run on selected hosts (2)' });
  await again.waitFor();
  await tabTo(page, again, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Re-run on selected hosts (2)' });
  await question.waitFor();
  // The focus is in the question, and comes back when it is put away.
  await expect
    .poll(() => question.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect
    .poll(() => again.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, question.getByRole('button', { name: 'Re-run', exact: true }));
  await page.keyboard.press('Enter');
  const next = await nextTask(page, id);
  await untilTask(demo, next, 'error');
  expect(await hostsOf(next)).toEqual(['db-2', 'web-1']);
  expect((await readTask(demo, next)).rerun_of).toBe(id);
});
