// Playwright drives Firefox by WebDriver BiDi and WebKitGTK by the protocol of its inspector, but
// cannot emulate media in the one and sends no trusted input to the other. Both are added to the
// objects behind its API, which have no public types: a new version of playwright-core may change
// them, and the tests of this folder's users then fail at their first page.

import type { Browser, Page } from 'playwright-core';

const connection = '_connection';

interface Connected {
  [connection]?: { toImpl?: (object: object) => unknown };
}

/** The object of Playwright's server, in this process, behind an object of its API. */
export function internalsOf(object: Page | Browser): unknown {
  const found = (object as Connected)[connection]?.toImpl?.(object);
  if (!found) throw new Error('playwright-core has another way to its own objects in this version');
  return found;
}
