// Reads the files that a page downloads.

import { text } from 'node:stream/consumers';
import type { Download } from 'playwright-core';

/** The browser may be on another machine, so the file is read through the browser. */
export const contentOf = async (download: Download): Promise<string> =>
  text(await download.createReadStream());
