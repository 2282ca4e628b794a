// Tags of servers in the console: given to templates and projects, and why a task waits.

import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { Project } from '#shared/api/projects.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Template } from '#shared/api/templates.ts';
import {
  callApi,
  ensureDemo,
  expectAccessible,
  expectAccessibleInBoth,
  expectNoComplaints,
  useConsole,
} from '../helpers/console.ts';

const console = useConsole({ SIGNALBOX_RUNNER_TAGS: 'dmz,gpu' });
const { open, signIn } = console;

const at = (path: string): string => `${console.server.address}${path}`;
const readTemplate = (page: Page, id: number) =>
  callApi<Template>(page, 'get', `/api/project/1/templates/${id}`);
const tagField = (within: Page | Locator) => within.getByLabel('Runner tags').first();

async function editTemplate(page: Page, id: number): Promise<Locator> {
  await page.goto(at(`/project/1/templates/${id}`));
  await page.getByRole('button', { name: 'Edit template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit template' });
  await dialog.getByRole('button', { name: 'More' }).click();
  return dialog;
}

test('a template asks for tags, and its tasks say for which they wait', async () => {
  const page = await open();
  await ensureDemo(console, page);
  const dialog = await editTemplate(page, 2);
  const field = tagField(dialog);
  await field.click();
  await page.getByRole('option', { name: 'gpu' }).waitFor();
  await page.getByRole('option', { name: 'dmz' }).click();
  await field.fill('no/slash');
  await field.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^A tag has up to 32 letters/).waitFor();
  await expectAccessibleInBoth(page);
  await field.press('Backspace');
  await field.fill('lab');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Template .* saved$/).waitFor();
  await page.getByText('dmz, lab', { exact: true }).waitFor();
  expect((await readTemplate(page, 2)).runner_tags).toEqual(['dmz', 'lab']);

  const body = { template_id: 2 };
  const task = await callApi<Task>(page, 'post', '/api/project/1/tasks', body);
  const plain = { template_id: 1 };
  const other = await callApi<Task>(page, 'post', '/api/project/1/tasks', plain);
  await page.goto(at('/tasks'));
  const row = (id: number) => page.getByRole('row').filter({ hasText: `#${id} ` });
  await row(task.id).getByText('Waits for a runner with the tags dmz, lab.').waitFor();
  await row(other.id).getByText('Waits: all servers that are there have tags').waitFor();
  await page.goto(at('/runners'));
  await page.getByRole('cell', { name: 'dmz, gpu' }).waitFor();
  await expectAccessibleInBoth(page);
  expectNoComplaints();
});

test('a project has tags for its templates without any', async () => {
  const page = await open();
  await ensureDemo(console, page);
  await page.goto(at('/project/1/settings'));
  const field = tagField(page);
  await field.fill('gpu');
  await field.press('Enter');
  await field.press('Tab');
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Project .* saved$/).waitFor();
  const [project] = await callApi<Project[]>(page, 'get', '/api/projects');
  expect(project?.runner_tags).toEqual(['gpu']);
  await page.reload();
  await page.getByText('gpu', { exact: true }).waitFor();
  expectNoComplaints();
});

test('who may not see the servers types tags freely', async () => {
  const admin = await open();
  await ensureDemo(console, admin);
  const password = 'a password of somebody';
  const user = { username: 'ada', name: 'Ada', email: 'ada@example.com', password };
  const { id } = await callApi<{ id: number }>(admin, 'post', '/api/users', user);
  await callApi(admin, 'post', '/api/project/1/users', { user_id: id, role: 'manager' });
  const page = await open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signIn(page, 'ada', password);
  await page.waitForURL('**/project/1/**');
  const dialog = await editTemplate(page, 1);
  await tagField(dialog).fill('eu-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Template .* saved$/).waitFor();
  expect((await readTemplate(page, 1)).runner_tags).toEqual(['eu-1']);
  expect(asked).not.toContain('/api/runners');
  expectNoComplaints();
});
