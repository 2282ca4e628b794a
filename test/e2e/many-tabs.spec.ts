// Several tabs share the few connections that one user may have.
// Slow: twenty connections are opened, which few people have.

import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { closeCodes } from '#shared/api/live.ts';
import { expectAccessible, useConsole } from '../helpers/console.ts';
import { useDemo } from '../helpers/demo.ts';

const console = useConsole();
const demo = useDemo(console);

const crowded = /^Updates on this page are delayed: you have 20 live connections/;

/** Shows the page, or hides it as if somebody looked at another one. */
const show = (page: Page, isShown: boolean): Promise<void> =>
  page.evaluate((shown) => {
    Object.defineProperty(document, 'hidden', { value: !shown, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isShown);

test('a tab without a connection says so, and has one as soon as there is room', async () => {
  // A route that is added to a page cannot be removed, so the page is new.
  const page = await console.enter({ isNew: true });
  let isFull = true;
  let refused = 0;
  await page.routeWebSocket(/\/api\/ws$/, (client: WebSocketRoute) => {
    if (!isFull) {
      client.connectToServer();
      return;
    }
    refused += 1;
    void client.close({ code: closeCodes.tooMany });
  });
  await page.goto(demo.url('history'));
  await page.getByText(crowded).waitFor();
  expect(refused).toBe(2);
  await expectAccessible(page);
  isFull = false;
  await show(page, true);
  await page.getByText(crowded).waitFor({ state: 'detached' });
});

test('a tab that nobody looks at makes room for others, until it is looked at again', async () => {
  const page = await console.enter({ isNew: true });
  const opened: string[] = [];
  page.on('websocket', (socket) => {
    opened.push('open');
    socket.once('close', () => opened.push('closed'));
  });
  const plead = () =>
    page.evaluate(() => {
      const tabs = new BroadcastChannel('signalbox-live');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      tabs.postMessage('room');
      tabs.close();
    });
  await page.goto(demo.url('history'));
  await expect.poll(() => opened).toEqual(['open']);
  await show(page, false);
  await plead();
  await expect.poll(() => opened).toEqual(['open', 'closed']);
  await show(page, true);
  await expect.poll(() => opened).toEqual(['open', 'closed', 'open']);
  expect(await page.getByText('Connection lost').count()).toBe(0);
});
