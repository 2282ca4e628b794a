// Slow: the layout of the list at four widths, with all of its columns.

import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

test.each([360, 1280, 1366, 1440])(
  'what is ticked is shown at %d px, and names keep their room',
  async (width) => {
    const page = await console.enter({ isNew: true, viewport: { width, height: 900 } });
    await page.goto(demo.url('templates'));
    await page.getByRole('link', { name: '3. Announce a train' }).waitFor();
    const settings = page.getByRole('button', { name: 'Columns' });
    const boxes = page.getByRole('menuitemcheckbox');
    const ticked = () =>
      boxes.evaluateAll((all) =>
        all
          .filter((box) => box.getAttribute('aria-checked') === 'true')
          .map((box) => box.textContent),
      );
    const shown = async () =>
      (await page.getByRole('columnheader').allInnerTexts()).filter(
        (title) => !['Name', 'Status', 'Actions', ''].includes(title),
      );
    await settings.click();
    await boxes.first().waitFor();
    expect(await shown()).toEqual(await ticked());
    for (const box of await boxes.all()) await box.check();
    await expect.poll(ticked).toHaveLength(10);
    await expect.poll(shown).toEqual(await ticked());
    await page.keyboard.press('Escape');
    const name = page.getByRole('link', { name: '3. Announce a train' });
    const room = await name.evaluate((link) => link.closest('td')?.getBoundingClientRect().width);
    expect(room).toBeGreaterThanOrEqual(width === 360 ? 140 : 280);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  },
);
