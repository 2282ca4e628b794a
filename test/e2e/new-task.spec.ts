// Slow: everything that a template can ask for is answered.
// The dialog that launches a task: everything that a template can ask for.

import { expect, test } from 'vitest';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import { addProject, addResources, choose } from '../helpers/console-project.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const { call } = console;
const demo = useDemo(console);

const playbook = `- hosts: all
  gather_facts: false
  tasks:
    - name: Say it
      tags: say
      ansible.builtin.debug:
        msg: "{{ word }} {{ count }} {{ quiet }} {{ token | length }}"
`;

const survey = [
  { name: 'word', title: 'Word', type: '', required: true },
  { name: 'count', title: 'Count', type: 'int', required: true, default_value: '3' },
  { name: 'notes', title: 'Notes', type: 'text' },
  { name: 'quiet', title: 'Quiet', type: 'boolean' },
  { name: 'token', title: 'Token', type: 'secret', required: true },
];

const flags = ['args', 'inventory', 'branch', 'limit', 'tags', 'skip_tags'].map(
  (name) => [`allow_override_${name}_in_task`, true] as const,
);

test('a survey is asked, checked and handed to the playbook', async () => {
  const page = await demo.enter('templates');
  await page.getByRole('button', { name: 'Run 3. Announce a train' }).click();
  const dialog = page.getByRole('dialog');
  const run = dialog.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  await dialog.getByText('Platform is required').waitFor();
  await dialog.getByLabel('Platform').fill('four');
  await run.click();
  await dialog.getByText('Platform must be integer').waitFor();
  await dialog.getByLabel('Platform').fill('4');
  await dialog.getByLabel('Destination').click();
  await page.getByRole('option', { name: 'Mill Lane' }).click();
  await run.click();
  await dialog.getByText('The train to Mill Lane leaves from platform 4.').waitFor();
  await dialog.getByText('Success', { exact: true }).waitFor();
});

test('every prompt and every kind of answer reaches the task, and it is run again', async () => {
  const id = await addProject(console, 'Asking');
  const sources = await addResources(console, id, { 'say.yml': playbook });
  const { id: templateId } = await call<Template>('POST', `/api/project/${id}/templates`, {
    name: 'Ask',
    playbook: 'say.yml',
    ...sources,
    survey_vars: survey,
    ...Object.fromEntries(flags),
  });
  const page = await console.enter();
  await page.goto(`${console.server.address}/project/${id}/templates/${templateId}`);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Count').inputValue()).toBe('3');
  await dialog.getByLabel('Count').fill('many');
  await run.last().click();
  await dialog.getByText('Word is required').waitFor();
  await dialog.getByText('Count must be integer').waitFor();
  await dialog.getByText('Token is required').waitFor();
  await dialog.getByLabel('Message').fill('Because');
  await dialog.getByLabel('Word').fill('Stop');
  await dialog.getByLabel('Count').fill('7');
  await dialog.getByLabel('Notes').fill('one\ntwo');
  await dialog.getByLabel('Quiet').check();
  await dialog.getByLabel('Token').first().fill('open sesame');
  await choose(dialog, 'Inventory', 'This server');
  await dialog.getByLabel('Branch').fill('main');
  await dialog.getByLabel('Limit').fill('localhost');
  await dialog.getByLabel('Tags', { exact: true }).fill('say');
  await dialog.getByLabel('CLI args').first().fill('--forks=2');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Dry run').check();
  await dialog.getByLabel('Diff').check();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await run.last().click();
  await dialog.getByText('Success', { exact: true }).waitFor();
  await dialog.getByText('Stop 7 True 11').waitFor();
  const [first] = await call<Task[]>('GET', `/api/project/${id}/tasks`);
  expect(first).toMatchObject({
    message: 'Because',
    limit: 'localhost',
    tags: 'say',
    arguments: '["--forks=2"]',
    git_branch: 'main',
    dry_run: true,
    diff: true,
  });
  expect(JSON.parse(first?.environment ?? '')).toEqual({
    word: 'Stop',
    count: 7,
    notes: 'one\ntwo',
    quiet: true,
  });

  await dialog.getByRole('button', { name: `Re-run task #${first?.id}` }).click();
  const again = page.getByRole('dialog', { name: `Ask › Re-run task #${first?.id}` });
  await expect.poll(() => again.getByLabel('Word').inputValue()).toBe('Stop');
  await expect.poll(() => again.getByLabel('Token').first().inputValue()).toBe('');
  await again.getByLabel('Token').first().fill('again');
  await again.getByLabel(/^Same as before/).check();
  await again.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/t=\d+/);
  await page.getByText('Stop 7 True 5').waitFor();
  const [second] = await call<Task[]>('GET', `/api/project/${id}/tasks`);
  expect(second?.id).not.toBe(first?.id);
  expect(second?.commit_hash).toBe(first?.commit_hash);
});
