// How much of a page a browser styles again when a few elements come and go. A `:has()` whose
// subject is the page or a table, and whose argument matches by a pseudo-class, makes Chromium
// style everything below the subject at each such change.

import type { Page } from 'playwright-core';

/** What lists, logs and pictures add while they are scrolled; ten elements. */
const row =
  '<table><tbody><tr><th scope="row"><a href="#">Name</a></th><td><svg><path d="M0 0h1"/></svg><span>Text</span></td></tr></tbody></table>';

async function changeOften(page: Page): Promise<void> {
  await page.evaluate(async (html) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const content = document.querySelector('#content') ?? document.body;
    for (let index = 0; index < 10; index += 1) {
      content.insertAdjacentHTML('beforeend', html);
      await frame();
      content.lastElementChild?.remove();
      await frame();
    }
  }, row);
}

const countOf = ({ args }: { args?: unknown }): number => {
  const isCounted = typeof args === 'object' && args !== null && 'elementCount' in args;
  return isCounted ? Number(args.elementCount) : 0;
};

/** The elements styled at the change of a few, in the middle of twenty changes. */
export async function restyledElements(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const counts: number[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) {
      if (event.name === 'UpdateLayoutTree') counts.push(countOf(event));
    }
  });
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', { categories: 'devtools.timeline' });
  await changeOften(page);
  await session.send('Tracing.end');
  await isComplete;
  await session.detach();
  counts.sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? Number.NaN;
}
