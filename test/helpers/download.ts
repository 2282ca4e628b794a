// Reads the files that a page downloads.

import { text } from 'node:stream/consumers';
import type { Download, Page } from 'playwright-core';
import { downloadsOf } from './browsers/webkit.ts';

/** The browser may be on another machine, so the file is read through the browser. */
export const contentOf = async (download: Download): Promise<string> =>
  text(await download.createReadStream());

/** The text of the file that `act` lets the page download. */
export async function saveText(page: Page, act: () => Promise<void>): Promise<string> {
  const saved = downloadsOf(page);
  if (saved) {
    await act();
    return saved();
  }
  const begun = page.waitForEvent('download');
  await act();
  return contentOf(await begun);
}
