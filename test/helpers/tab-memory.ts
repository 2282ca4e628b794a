import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/**
 * The MB that the process of the tab uses: its private memory, and that together with shared
 * memory. Of several tabs, the largest one counts.
 */
export async function tabMemory(browser: Browser): Promise<{ own: number; resident: number }> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      const size = (name: string): number => sizeIn(rollup, name);
      return { own: size('Private_Dirty') + size('Private_Clean'), resident: size('Rss') };
    });
  return sizes.toSorted((a, b) => b.own - a.own)[0] ?? { own: NaN, resident: NaN };
}

/** The MB of a line such as `Rss:  1234 kB`. */
function sizeIn(rollup: string, name: string): number {
  const line = rollup.split('\n').find((one) => one.startsWith(`${name}:`)) ?? '';
  return (Number.parseInt(line.slice(name.length + 1), 10) * 1024) / 1e6;
}
