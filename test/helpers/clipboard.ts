// What a page copies. The clipboard itself is one for all pages of the browser, so what is read from
// it may be of another test.

import type { Page } from 'playwright-core';

/** From now on, until the page is loaded anew; answers what the browser took last. */
export async function watchCopies(page: Page): Promise<() => Promise<string>> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = async (text) => {
      await write(text);
      document.documentElement.dataset['copied'] = text;
    };
  });
  return () => page.evaluate(() => document.documentElement.dataset['copied'] ?? '');
}
