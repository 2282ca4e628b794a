// Before a release: several lists on screens of other widths.
// On a wide screen the columns share the room: no text is cut beside an empty one. Elsewhere names are
// cut last.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { addProgram, launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';
import { settle, watchRequests } from '../helpers/settle.ts';

const console = useConsole();
const demo = useDemo(console);

beforeAll(async () => {
  await console.call('POST', demo.api('alert_channels'), {
    name: 'Own program',
    type: 'webhook',
    address: 'https://alerts.example.com/hook',
    events: ['failed', 'recovered', 'waiting', 'succeeded', 'stopped'],
  });
});

/** The texts that are cut, and the share of the table that the first column has. */
const layout = (page: Page) =>
  page.getByRole('table').evaluate((table) => {
    const cells = [...table.querySelectorAll('td')];
    const [first] = cells;
    return {
      cut: cells
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
      share: (first?.offsetWidth ?? 0) / (table as HTMLElement).offsetWidth,
      hasRows: cells.length > 0,
    };
  });

test.each([
  'alerts',
  'schedules',
  'keys',
  'inventory',
  'repositories',
  'templates',
  'team',
  'team/roles',
])('the list of %s cuts nothing at 1920 px, and no column is a gap in its rows', async (screen) => {
  const page = await console.enter({ isNew: true, viewport: { width: 1920, height: 900 } });
  await watchRequests(page);
  await page.goto(demo.url(screen));
  await expect.poll(async () => (await layout(page)).hasRows).toBe(true);
  await settle(page);
  const { cut, share } = await layout(page);
  expect(cut).toEqual([]);
  expect(share).toBeLessThan(0.53);
});

test('in the history at 960 px, messages are cut before the names of templates', async () => {
  const message = 'Because of the new signals between the harbour and the northern yard';
  const name = 'Renew all certificates of the harbours';
  const { id } = await launchTask(demo, await addProgram(demo, name, 'echo\n'), { message });
  await untilTask(demo, id, 'success');
  const page = await console.enter({ isNew: true, viewport: { width: 960, height: 900 } });
  await page.goto(demo.url('history'));
  const row = page.getByRole('row', { name });
  const isCut = (text: string) =>
    row.getByText(text).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  await expect.poll(() => isCut(message)).toBe(true);
  expect(await isCut(name)).toBe(false);
});
