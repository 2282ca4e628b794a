// Slow: it waits until toasts go away.
// Toasts: where they are shown, how long they stay, and the list that keeps them.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessibleInBoth, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { until } from '../helpers/until.ts';

const console = useConsole();
const demo = useDemo(console);

const refuse = (page: Page, path: string, method: string) =>
  page.route(`**${path}`, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, json: { error: 'The disk is full.' } })
      : route.fallback(),
  );

const region = (page: Page) => page.getByRole('region', { name: 'Notifications' });

/** The buttons, links and fields that a toast covers when the page is scrolled to its end. */
const coveredIn = (page: Page) =>
  region(page).evaluate((toasts) => {
    scrollTo(0, document.body.scrollHeight);
    const over = toasts.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>('main :is(button, a, input)')]
      .filter((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        const isApart =
          top >= over.bottom || bottom <= over.top || left >= over.right || right <= over.left;
        return !isApart && element.checkVisibility();
      })
      .map((element) => element.innerText);
  });

/** The background colour of a toast, and the red of the console. */
const redsOf = (page: Page) =>
  page.getByRole('alert').evaluate((toast) => {
    const red = document.createElement('i');
    red.style.background = 'var(--danger)';
    document.body.append(red);
    const reds = [toast, red].map((element) => getComputedStyle(element).backgroundColor);
    red.remove();
    return reds;
  });

test.each([
  ['a wide screen', { width: 1280, height: 720 }],
  ['a small screen', { width: 360, height: 640 }],
])('a failed deletion is told in red at the bottom of %s, over nothing', async (_, viewport) => {
  await Promise.all(
    Array.from({ length: 12 }, (_none, number) =>
      console.call('POST', demo.api('keys'), {
        name: `Key ${number} ${viewport.width}`,
        type: 'none',
      }),
    ),
  );
  const page = await console.enter({ isNew: true, viewport });
  await page.clock.install();
  await refuse(page, `${demo.api('keys')}/*`, 'DELETE');
  await page.goto(demo.url('keys'));
  await page.getByRole('button', { name: `Delete Key 0 ${viewport.width}`, exact: true }).click();
  const question = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  await question.waitFor();
  // The clock of the page stands still from here on, except where the test moves it, until somebody
  // points at the toast.
  await page.clock.pauseAt(Date.now() + 10_000);
  await question.click();
  const toast = region(page).getByRole('alert');
  await until(async () => {
    await page.clock.runFor(50);
    return toast.getByText('The disk is full.').isVisible();
  });
  await toast.hover();
  await page.clock.resume();
  const [ground, red] = await redsOf(page);
  expect(ground).toBe(red);
  expect(await coveredIn(page)).toEqual([]);
  const box = await toast.boundingBox();
  expect(box?.y).toBeGreaterThan(viewport.height / 2);
  await expectAccessibleInBoth(page);

  await page.clock.fastForward(60_000);
  expect(await toast.isVisible()).toBe(true);
  await toast.getByRole('button', { name: 'Close' }).focus();
  await page.mouse.move(viewport.width / 2, 5);
  await page.clock.fastForward(60_000);
  expect(await toast.isVisible()).toBe(true);
  await toast.getByRole('button', { name: 'Close' }).blur();
  await page.clock.fastForward(3000);
  await toast.waitFor({ state: 'detached' });
});

test('failures of a backup and of a restore are told in red, and the list keeps them', async () => {
  const page = await console.enter();
  await refuse(page, demo.api('backup'), 'GET');
  await page.goto(demo.url('settings'));
  await page.getByRole('button', { name: 'Back up' }).click();
  await region(page).getByRole('alert').getByText('The disk is full.').waitFor();
  await page.getByRole('button', { name: 'Restore project' }).click();
  const restore = page.getByRole('dialog');
  await restore.locator('input[type=file]').setInputFiles({
    name: 'letter.json',
    mimeType: 'application/json',
    buffer: Buffer.from('Dear Sir or Madam'),
  });
  await restore.getByText(/^letter\.json is not a backup/).waitFor();
  await region(page)
    .getByRole('alert')
    .getByText(/^letter\.json is not a backup/)
    .waitFor();
  await page.keyboard.press('Escape');
  await restore.waitFor({ state: 'hidden' });

  const userMenu = page.getByRole('button', { name: 'Administrator' });
  await userMenu.getByText('Notifications; unread errors: 2').waitFor();
  await userMenu.click();
  await page.getByRole('menuitem', { name: 'Notifications' }).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await expect
    .poll(() => list.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringContaining('letter.json is not a backup'),
      expect.stringContaining('The disk is full.'),
    ]);
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await userMenu.waitFor();
  expect(await userMenu.innerText()).not.toContain('unread');
});
