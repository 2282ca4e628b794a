// Slow: a map of 1,200 hosts and a week of schedules, in both themes and on a narrow screen.
// The pictures of a project by mouse and by keyboard: each has an address and leads somewhere.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import {
  expectAccessibleAtAllSizes,
  expectAccessibleInBoth,
  useConsole,
} from '../helpers/console.ts';
import { launchTask, untilTask } from '../helpers/console-tasks.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

const groups = ['web', 'db', 'cache'];

/** Hosts of three groups, of which every 300th failed in a run. */
async function addHosts(count: number, last_task_id: number): Promise<void> {
  const db = openDatabase(`sqlite:${join(console.server.dataDir, 'signalbox.db')}`);
  const [inventory] = await demo.call<{ id: number }[]>('GET', demo.api('inventory'));
  const inventory_id = inventory?.id ?? 0;
  const project_id = demo.id;
  for (let index = 0; index < count; index += 1) {
    const group = groups[index % groups.length] ?? '';
    const host = `${group}-${String(index).padStart(4, '0')}`;
    const last_outcome = index % 300 === 1 ? 'failed' : 'ok';
    await db
      .insertInto('hosts')
      .values({ project_id, name: host, sort_key: host, last_task_id, last_outcome })
      .execute();
    await db
      .insertInto('inventory_hosts')
      .values({ project_id, inventory_id, host, groups: JSON.stringify([group]) })
      .execute();
  }
  await db.destroy();
}

test('the map of 1,200 hosts is pointed at, walked by keys and filtered, and opens a host', async () => {
  const { id } = await launchTask(demo, demo.template(1));
  await untilTask(demo, id, 'success');
  await addHosts(1200, id);
  const page = await demo.enter('hosts?as=map');
  const tile = page.getByRole('region', { name: 'db' });
  await tile.getByText('4 failed or unreachable').waitFor();
  await expectAccessibleAtAllSizes(page);
  // The failed hosts come first, and the square under the pointer becomes a link.
  const square = await tile.locator('svg').boundingBox();
  await page.mouse.move((square?.x ?? 0) + 6, (square?.y ?? 0) + 6);
  await tile.getByRole('link', { name: /^db-0001, Failed/ }).focus();
  await page.keyboard.press('ArrowRight');
  const second = tile.getByRole('link', { name: /^db-0301, Failed/ });
  await expect.poll(() => second.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForURL(/hosts\/db-0301/);
  await page.goBack();
  await page.goto(demo.url('hosts?as=map&outcome=failed'));
  await tile.getByText('4 hosts').waitFor();
});

const addSchedule = (name: string, cron_format: string): Promise<unknown> =>
  demo.call('POST', demo.api('schedules'), {
    template_id: demo.template(1),
    name,
    cron_format,
    time_zone: 'UTC',
    active: true,
  });

test('a week of schedules shows overlaps, and what runs in an hour', async () => {
  await addSchedule('Backup', '0 2 * * *');
  await addSchedule('Cleanup', '0 2 * * *');
  for (let minutes = 2; minutes <= 8; minutes += 1) {
    await addSchedule(`Every ${minutes} minutes`, `*/${minutes} * * * *`);
  }
  // A week of which nothing is over.
  const address = 'schedules?as=week&from=2027-03-01&zone=UTC';
  const page = await demo.enter(address);
  const backups = page.getByRole('link', { name: /^2:00.* Backup,.* overlaps 1 run/ });
  await expect.poll(() => backups.count()).toBe(7);
  // Of the frequent ones a few lines are drawn, until more are asked for.
  const frequent = page.getByRole('link', { name: /^Every \d minutes/ });
  expect(await frequent.count()).toBe(7 * 4);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: '3 more' }).first().click();
  expect(await frequent.count()).toBe(7 * 7);
  await page.getByRole('button', { name: /^Monday.* 2:00: / }).click();
  await page.waitForURL(/hours=/);
  const hour = page.getByRole('table', { name: /^Monday.*2:00–3:00/ });
  await hour.getByRole('row', { name: /Backup.*Cleanup/ }).waitFor();
  await hour.getByRole('link', { name: 'Backup' }).click();
  await page.waitForURL(/schedules\/\d+/);
  await page.goBack();
  await hour.waitFor();
});
