// Before a release: every screen, with the words of all languages.
// Nothing is wider than the window at three widths, and no text is missing, whatever the language.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { goTo } from '../helpers/tour-page.ts';
import { speak } from '../helpers/speak.ts';
import { stops } from '../helpers/tour.ts';
import { expectToFit, useExample } from '../helpers/walk.ts';
import { keysOf, readWords, showWords, widestWords } from '../helpers/widest-words.ts';

describe.each(['text', 'word'] as const)('the languages with the longest %s', (room) => {
  const { console, example } = useExample();
  const words = widestWords(room);
  const say = speak(words);
  const known = new Set(keysOf(words));
  let visitor: Page | undefined;
  let admin: Page | undefined;
  beforeAll(async () => {
    [visitor, admin] = [await console.open(null), await console.enter()];
    for (const page of [visitor, admin]) await showWords(page, console.server.address, words);
  });

  test.each(stops)('have room on $name', async (stop) => {
    const page = stop.for === 'visitor' ? visitor : admin;
    if (!page) throw new Error('nobody is there to walk through');
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, console.server.address, { stop, example: example(), say });
    const text = await readWords(page);
    const missing = (text.match(/[a-z_]+(?:\.[a-z_]+)+/g) ?? []).filter((word) => known.has(word));
    expect([missing, text.includes('{{')]).toEqual([[], false]);
    await expectToFit(page, 1440);
    await expectToFit(page, 960);
    await expectToFit(page, 360);
  });
});
