// `npm run screenshots`: makes the pictures in docs/images anew. It starts the real server
// on an empty data folder and walks through the console as a new administrator would.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../test/helpers/chromium.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';

const images = 'docs/images';
const taskLimitMs = 120_000;

type Words = { [key: string]: string | Words };
const words = JSON.parse(readFileSync('src/web/locales/en.json', 'utf8')) as Words;

/** The English text of the console, so that a new wording does not break the walk. */
function say(key: string, params: Record<string, string> = {}): string {
  const found = key
    .split('.')
    .reduce<string | Words | undefined>(
      (at, part) => (typeof at === 'object' ? at[part] : undefined),
      words,
    );
  if (typeof found !== 'string') throw new Error(`en.json has no text "${key}"`);
  return found.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => params[name] ?? whole);
}

function openContext(browser: Browser, scheme: 'light' | 'dark', from?: BrowserContext) {
  return (from?.storageState() ?? Promise.resolve(undefined)).then((storageState) =>
    browser.newContext({
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 2,
      colorScheme: scheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...(storageState ? { storageState } : {}),
    }),
  );
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel(say('sign_in.username'), { exact: true }).fill('admin');
  await page.getByLabel(say('sign_in.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: say('sign_in.submit'), exact: true }).click();
}

async function openTemplates(page: Page): Promise<void> {
  await page.getByRole('button', { name: say('project.create_demo') }).click();
  await page
    .getByRole('link', { name: say('shell.templates') })
    .first()
    .click();
}

async function runFirstTemplate(page: Page): Promise<void> {
  const run = new RegExp(`^${say('template.run_label', { name: '.+' })}$`);
  await page.getByRole('button', { name: run }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: say('task.run'), exact: true }).click();
  const ended = dialog.getByText(say('task.status.success'), { exact: true });
  await ended.first().waitFor({ timeout: taskLimitMs });
}

async function picture(page: Page, name: string): Promise<void> {
  // Messages in a corner come and go; a picture shows what stays.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForLoadState('networkidle');
  const path = join(images, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
}

async function walk(browser: Browser, { address, password }: TestServer): Promise<void> {
  const light = await openContext(browser, 'light');
  const page = await light.newPage();
  await page.goto(address);
  await signIn(page, password);
  await openTemplates(page);
  const templates = page.url();
  await runFirstTemplate(page);
  await picture(page, 'task-log-light');

  const dark = await openContext(browser, 'dark', light);
  const darkPage = await dark.newPage();
  await darkPage.goto(templates);
  const heading = darkPage.getByRole('heading', { name: say('template.list'), exact: true });
  await heading.first().waitFor();
  await picture(darkPage, 'templates-dark');
}

mkdirSync(images, { recursive: true });
const server = await startServer();
try {
  const browser = await launchChromium();
  try {
    await walk(browser, server);
  } finally {
    await browser.close();
  }
} finally {
  await server.stop();
}
