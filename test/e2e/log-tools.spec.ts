// Slow: two logs, seen at several widths and in both themes.
// What people do with the log of a failed run: links, the way from failure to failure, and the room
// that its head leaves.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import type { PageOptions } from '../helpers/pages.ts';

const console = useConsole();
const demo = useDemo(console);

const script = `
echo "PLAY [Shops] $(printf '*%.0s' 1 2 3 4 5)"
for name in one two three four; do
  echo "TASK [$name] *****"
  case $name in
    two | four) echo "fatal: [h1]: FAILED! => {}" ;;
    *) echo "ok: [h1] => see https://docs.example/x." ;;
  esac
  seq 60
done
printf '\\033]8;;https://evil.example/\\033\\\\bank.example\\033]8;;\\033\\\\\\n'
printf '\\033]8;;javascript:alert(1)\\033\\\\no link\\033]8;;\\033\\\\\\n'
exit 3
`;

let count = 0;

async function runFailing(text: string): Promise<number> {
  const template = await addProgram(demo, `Shops ${(count += 1)}`, text);
  const { id } = await launchTask(demo, template);
  await untilTask(demo, id, 'error');
  return id;
}

async function openFailed(screen: (id: number) => string, look?: PageOptions): Promise<Page> {
  const id = await runFailing(script);
  const page = await console.enter(look);
  await page.goto(demo.url(screen(id)));
  await page.getByRole('link', { name: 'bank.example' }).waitFor();
  return page;
}

test.each([
  ['dialog', (id: number) => `history?t=${id}`],
  ['page', (id: number) => `tasks/${id}`],
])('in the %s of a task, n and p go from failure to failure', async (_where, screen) => {
  const page = await openFailed(screen);
  await page
    .getByText(/ended with the exit code 3/)
    .first()
    .waitFor();
  const marked = page.locator('[data-marked]');
  await page.getByRole('button', { name: 'Next failure (n)' }).waitFor();
  await page.getByRole('log').focus();
  for (const [key, name] of [
    ['n', 'two'],
    ['n', 'four'],
    ['n', 'two'],
    ['p', 'four'],
    ['p', 'two'],
  ] as const) {
    await page.keyboard.press(key);
    await marked.getByText(`TASK [${name}]`).waitFor();
  }
});

test('addresses are links, and one that shows another host names where it leads', async () => {
  const page = await openFailed((id) => `tasks/${id}`);
  const link = page.getByRole('log').getByRole('link', { name: 'bank.example' });
  expect(await link.getAttribute('href')).toBe('https://evil.example/');
  expect(await link.getAttribute('rel')).toContain('noopener');
  await page.getByText('(evil.example)').waitFor();
  await page.getByText('no link', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'no link' }).count()).toBe(0);
  await page.getByRole('log').press('Home');
  const plain = page.getByRole('link', { name: 'https://docs.example/x', exact: true }).first();
  await expect.poll(() => plain.getAttribute('href')).toBe('https://docs.example/x');
  await expectAccessible(page);
});

/** The pixels above the log, from the top of the task, without its views and why it failed. */
const headHeight = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const log = document.querySelector('[role=log]');
    const view =
      log?.closest('[role=dialog]')?.querySelector('header') ?? document.querySelector('main nav');
    const heightOf = (selector: string): number =>
      document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
    return (
      (log?.getBoundingClientRect().top ?? 0) -
      (view?.getBoundingClientRect().top ?? 0) -
      heightOf('nav[aria-label="Views of the run"]') -
      heightOf('section[aria-label="Why it failed"]')
    );
  });

test.each([1280, 960])('the tools of the log take one row at %d px', async (width) => {
  const page = await openFailed((id) => `tasks/${id}`, { viewport: { width, height: 800 } });
  await page.getByRole('button', { name: 'Next failure (n)' }).waitFor();
  const middle = async (name: string): Promise<number> => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    return box ? box.y + box.height / 2 : 0;
  };
  const names = ['Match case', 'Next failure (n)', 'Wrap lines', 'Timestamps'];
  const middles = await Promise.all(names.map(middle));
  expect(middles[0]).toBeGreaterThan(0);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3);
  const search = await page.getByRole('searchbox', { name: 'Search the log' }).boundingBox();
  expect(search?.width).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Timestamps' }).click();
  await page.getByRole('button', { name: 'Timestamps', pressed: true }).waitFor();
});

test('the way to the end is offered only where the end is not visible', async () => {
  const id = await runFailing(
    'echo "TASK [one] *****"\necho "fatal: [h1]: FAILED! => {}"\nseq 8\nexit 3\n',
  );
  const page = await console.enter({ viewport: { width: 1280, height: 800 } });
  await page.goto(demo.url(`tasks/${id}?line=1`));
  await page.getByRole('link', { name: 'Line 1', exact: true }).waitFor();
  const jump = page.getByRole('button', { name: 'Jump to end' });
  await expect.poll(() => jump.count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 420 });
  await jump.waitFor();
  await jump.click();
  await expect.poll(() => jump.count()).toBe(0);
});

test('the head of a task leaves the screen to its log', async () => {
  const wide = await openFailed((id) => `history?t=${id}`, {
    viewport: { width: 1440, height: 900 },
  });
  expect(await headHeight(wide)).toBeLessThanOrEqual(120);
  const small = await openFailed((id) => `tasks/${id}`, { viewport: { width: 360, height: 740 } });
  expect(await headHeight(small)).toBeLessThanOrEqual(740 / 4);
});
