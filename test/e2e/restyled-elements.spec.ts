// Slow: seven screens in a browser.
// Adding a few elements to a screen styles those, and not the whole page once more.

import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';
import { restyledElements } from '../helpers/restyled.ts';
import { settle } from '../helpers/settle.ts';

const demo = useDemo(useConsole());

test.each(['templates', 'history', 'hosts', 'schedule', 'team', 'settings', 'workflows'])(
  'a row that comes to the screen %s restyles little else',
  async (screen) => {
    const page = await demo.enter(screen);
    await settle(page);
    expect(await restyledElements(page)).toBeLessThan(100);
  },
);
