// Slow: a journey through the page of the longest form.
// The page of a template's form: its index, its buttons, and what happens to unsaved input.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Template } from '#shared/api/templates.ts';
import { expectAccessibleAtAllSizes, follow, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

const formOf = (page: Page) => page.getByRole('form', { name: 'Edit template' });
const questionOf = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });
const pathOf = (page: Page) => {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
};

test('the index leads to the sections by keyboard, and marks the one in view', async () => {
  const page = await demo.enter(`templates?edit=${demo.template(3)}`);
  const index = page.getByRole('navigation', { name: 'Sections' });
  const current = index.locator('[aria-current="true"]');
  await expect.poll(() => current.allTextContents()).toEqual(['General']);
  await index.getByRole('link', { name: 'Limits and retries' }).press('Enter');
  await expect.poll(() => current.allTextContents()).toEqual(['Limits and retries']);
  await page.keyboard.press('Tab');
  const limit = page.getByLabel('Time limit');
  await expect.poll(() => limit.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, 20_000);
  await page.getByRole('button', { name: 'Save' }).focus();
  await expect.poll(() => current.allTextContents()).toEqual(['Alerts and history']);
  await expectAccessibleAtAllSizes(page);
});

test('the buttons are in view at the top and on a phone, where nothing is wider than the window', async () => {
  const page = await demo.enter(`templates?edit=${demo.template(3)}`);
  for (const width of [1366, 360]) {
    await page.setViewportSize({ width, height: 657 });
    const box = await formOf(page).getByRole('button', { name: 'Save' }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(657);
    const shown = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(shown).toBe(width);
  }
});

test('a refused field in a far section is scrolled into view, and the index marks its section', async () => {
  const page = await demo.enter(`templates?edit=${demo.template(3)}`);
  const form = formOf(page);
  await form.getByLabel('Retries after a failure').fill('11');
  await form.getByRole('textbox', { name: 'Name', exact: true }).focus();
  await form.getByRole('button', { name: 'Save' }).click();
  const input = form.getByLabel('Retries after a failure');
  await expect.poll(() => input.evaluate((node) => node === document.activeElement)).toBe(true);
  const box = await input.boundingBox();
  const foot = await form.getByRole('button', { name: 'Save' }).boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(foot?.y ?? 0);
  const index = page.getByRole('navigation', { name: 'Sections' });
  await index.getByRole('link', { name: 'Limits and retries has errors' }).waitFor();
  await expectAccessibleAtAllSizes(page);
});

test('unsaved input is asked about, by Cancel, by back and by a link', async () => {
  const page = await demo.enter('templates');
  await page.getByRole('button', { name: 'More actions for 3. Announce a train' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const opened = pathOf(page);
  expect(opened).toContain(`templates?edit=${demo.template(3)}`);
  await formOf(page).getByLabel('Description').first().fill('Changed');
  const question = questionOf(page);
  const leave = [
    () => formOf(page).getByRole('button', { name: 'Cancel' }).click(),
    () => page.evaluate(() => history.back()),
    () => page.getByRole('link', { name: 'Workflows' }).first().click(),
  ];
  for (const step of leave) {
    await step();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(pathOf(page)).toBe(opened);
    await expect
      .poll(() => formOf(page).getByLabel('Description').first().inputValue())
      .toBe('Changed');
  }
  // A section of the form is no other page.
  await page.getByRole('link', { name: 'Schedule', exact: true }).press('Enter');
  expect(await question.count()).toBe(0);
  await page.evaluate(() => history.back());
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Task Templates' }).waitFor();
  expect(pathOf(page)).toBe(demo.path('templates'));
  const template = await demo.call<Template>('GET', demo.api(`templates/${demo.template(3)}`));
  expect(template.description).not.toBe('Changed');
});

test('back leaves the form, also to the page of the template, and the page has its address', async () => {
  const id = demo.template(3);
  const page = await demo.enter(`templates/${id}`);
  await page.getByRole('button', { name: 'Edit template' }).click();
  await page.waitForURL(`**/templates/${id}?edit=${id}`);
  await page.getByRole('heading', { name: 'Edit template' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: '3. Announce a train' }).waitFor();
  await follow(page, demo.path(`templates/${id}?copy=${id}`));
  const copy = page.getByRole('form', { name: 'Copy template' });
  await expect
    .poll(() => copy.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
    .toBe('3. Announce a train (copy)');
});

test('the list has its scroll position again after the form', async () => {
  const page = await demo.enter('templates');
  await page.setViewportSize({ width: 1280, height: 420 });
  const menu = page.getByRole('button', { name: 'More actions for 7.' });
  await menu.waitFor();
  await page.evaluate(() => scrollTo(0, 150));
  for (const button of ['Cancel', 'Save']) {
    await menu.click();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(0);
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await formOf(page).getByRole('button', { name: button }).click();
    await menu.waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
    expect(pathOf(page)).toBe(demo.path('templates'));
  }
});

test('a variable of the survey is added, shown as the launch shows it, moved and removed by keyboard', async () => {
  const page = await demo.enter(`templates?edit=${demo.template(3)}`);
  const survey = page.getByRole('region', { name: 'Asked before each run' });
  const preview = survey.getByRole('complementary');
  const variables = survey.getByRole('list', { name: 'Survey' });
  await survey.getByRole('button', { name: 'Add variable' }).press('Enter');
  await page.keyboard.type('Conductor');
  await preview.getByText('Conductor', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('conductor');
  await survey.getByRole('button', { name: /^Conductor conductor/ }).press('Enter');
  await variables.getByRole('button', { name: 'Move Conductor' }).press('Space');
  await page.getByText('Conductor lifted: place 4 of 4.').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.getByText('Conductor: place 3 of 4.').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await expect
    .poll(() => preview.locator('label').allTextContents())
    .toEqual(expect.arrayContaining(['Conductor']));
  await variables.getByRole('button', { name: 'Delete Platform' }).press('Enter');
  await page.keyboard.press('Enter');
  await variables.getByRole('button', { name: 'Delete Conductor' }).press('Enter');
  await formOf(page).getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Template 3. Announce a train saved').waitFor();
  const { survey_vars: saved } = await demo.call<Template>(
    'GET',
    demo.api(`templates/${demo.template(3)}`),
  );
  expect(saved.map(({ name }) => name)).toContain('platform');
  expect(saved.map(({ name }) => name)).not.toContain('conductor');
});
