// Slow: it has a server of its own, and most servers have no tags.
// Tags of servers in the console: templates and projects ask for them, and tasks say why they wait.

import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { Project } from '#shared/api/projects.ts';
import type { Template } from '#shared/api/templates.ts';
import { expectAccessible, expectAccessibleInBoth, useOwnConsole } from '../helpers/console.ts';
import { launchTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { openAs } from '../helpers/guest.ts';

// This file has a server of its own, because a server with tags runs no task without tags.
const console = useOwnConsole({ SIGNALBOX_RUNNER_TAGS: 'dmz,gpu' });
const { call } = console;
const demo = useDemo(console);

const at = (path: string): string => `${console.server.address}${path}`;
const readTemplate = (number: number) =>
  call<Template>('GET', demo.api(`templates/${demo.template(number)}`));
const tagField = (within: Page | Locator) => within.getByLabel('Runner tags').first();

async function editTemplate(page: Page, number: number): Promise<Locator> {
  await page.goto(demo.url(`templates/${demo.template(number)}`));
  await page.getByRole('button', { name: 'Edit template' }).click();
  return page.getByRole('form', { name: 'Edit template' });
}

test('a template asks for tags, and its tasks say for which they wait', async () => {
  const page = await console.enter();
  const form = await editTemplate(page, 2);
  const field = tagField(form);
  await field.click();
  await page.getByRole('option', { name: 'gpu' }).waitFor();
  await page.getByRole('option', { name: 'dmz' }).click();
  await field.fill('no/slash');
  await field.press('Enter');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText(/^Use up to 32 letters/).waitFor();
  await expectAccessibleInBoth(page);
  await field.press('Backspace');
  await field.fill('lab');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Template .* saved$/).waitFor();
  await page.getByText('dmz, lab', { exact: true }).waitFor();
  expect((await readTemplate(2)).runner_tags).toEqual(['dmz', 'lab']);

  const task = await launchTask(demo, demo.template(2));
  const other = await launchTask(demo, demo.template(1));
  await page.goto(at('/tasks'));
  const row = (id: number) => page.getByRole('row').filter({ hasText: `#${id} ` });
  await row(task.id).getByText('Waiting for a runner with the tags dmz, lab.').waitFor();
  await row(other.id).getByText('Waiting: all available runners have tags').waitFor();
  await page.goto(at('/runners'));
  await page.getByRole('cell', { name: 'dmz, gpu' }).waitFor();
  await expectAccessibleInBoth(page);
});

test('a project has tags for its templates without any', async () => {
  const page = await demo.enter('settings');
  const field = tagField(page);
  await field.fill('gpu');
  await field.press('Enter');
  await field.press('Tab');
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Project .* saved$/).waitFor();
  const [project] = await call<Project[]>('GET', '/api/projects');
  expect(project?.runner_tags).toEqual(['gpu']);
  await page.reload();
  await page.getByText('gpu', { exact: true }).waitFor();
});

test('people who may not see the servers type any tags', async () => {
  const page = await openAs(console, demo, 'manager');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const form = await editTemplate(page, 1);
  await tagField(form).fill('eu-1');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Template .* saved$/).waitFor();
  expect((await readTemplate(1)).runner_tags).toEqual(['eu-1']);
  expect(asked).not.toContain('/api/runners');
});
