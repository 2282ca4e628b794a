// Watches the copies of a page. All pages of the browser share one clipboard, so a text that is read
// from it may be from another test.

import type { Page } from 'playwright-core';

/** Watches until the page is loaded again; returns a function that reads the last copied text. */
export async function watchCopies(page: Page): Promise<() => Promise<string>> {
  // Other browsers have no such permissions: a page may write while it handles a click.
  if ((process.env['TEST_BROWSER'] ?? 'chromium') === 'chromium') {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  }
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    const note = (text: string) => (document.documentElement.dataset['copied'] = text);
    clipboard.writeText = async (text) => {
      await write(text);
      note(text);
    };
    const writeItems = clipboard.write.bind(clipboard);
    clipboard.write = async (items) => {
      document.documentElement.dataset['copying'] = 'true';
      await writeItems(items);
      for (const item of items) note(await (await item.getType('text/plain')).text());
    };
  });
  return () => page.evaluate(() => document.documentElement.dataset['copied'] ?? '');
}
