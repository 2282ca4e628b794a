// What a page gives to be saved.

import { text } from 'node:stream/consumers';
import type { Download } from 'playwright-core';

/** The browser may be on another machine, so there is no file to be opened. */
export const contentOf = async (download: Download): Promise<string> =>
  text(await download.createReadStream());
