// Before a release: the pages of a browser.
// A test or a picture of a screen waits for what the screen shows later without a request.

import { expect, test } from 'vitest';
import { useConsole } from '../helpers/console.ts';
import { settle, watchRequests } from '../helpers/settle.ts';

const console = useConsole();

const screen = `<!doctype html><h1>Screen</h1><script>
  const show = (text, next) => setTimeout(() => { document.body.append(text); next?.(); }, 300);
  clearTimeout(show('never'));
  show('first', () => show('second'));
</script>`;

test('a screen is complete when no timer will soon show more', async () => {
  const page = await console.open(null);
  await watchRequests(page);
  await page.goto(`data:text/html,${encodeURIComponent(screen)}`);
  await settle(page);
  expect(await page.locator('body').innerText()).toMatch(/first\s*second$/);
});
