// `npm run screenshots [-- --only NAME] [-- --scheme dark] [-- --language de] [-- --to FOLDER]`:
// takes a picture of every screen and dialog into dist/pictures; `--only` (several times) chooses some,
// and `--from NAME` begins with one. It starts the real server on an empty data folder, fills it as a team
// would, and opens each screen in light and dark, at three widths, and in two languages that are hard for
// the layout. `npm run screenshots -- --documents` takes those in docs/images again.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/helpers/chromium.ts';
import { makeExample, type Example } from '../test/helpers/example/example.ts';
import { startServer, type TestServer } from '../test/helpers/server.ts';
import { goTo, showIn } from '../test/helpers/tour-page.ts';
import { speak, type Say } from '../test/helpers/speak.ts';
import type { Stop } from '../test/helpers/tour-stops.ts';
import { stops } from '../test/helpers/tour.ts';
import { imageFolder, shownPictures } from './guide/pictures.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    from: { type: 'string', default: '' },
    scheme: { type: 'string', default: '' },
    language: { type: 'string', default: '' },
    to: { type: 'string', default: '' },
    documents: { type: 'boolean', default: false },
  },
});

const folder = options.to || (options.documents ? imageFolder : 'dist/pictures');
const documents = options.documents ? shownPictures() : null;

const looks = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 1440, height: 900 },
  { scheme: 'light', width: 960, height: 800 },
  { scheme: 'light', width: 360, height: 780 },
  { scheme: 'dark', width: 360, height: 780 },
] as const;
type Appearance = (typeof looks)[number];

// German words are long, and Chinese ones have another height.
const otherLooks = looks.filter(({ scheme, width }) => scheme === 'light' && width !== 960);
const languages = { en: looks, de: otherLooks, zh_hans: otherLooks };

interface Walk {
  server: TestServer;
  example: Example;
  language: string;
  say: Say;
  looks: readonly Appearance[];
}

async function openPage(browser: Browser, language: string): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(`localStorage.setItem('lang', '${language}')`);
  return context.newPage();
}

async function signIn(page: Page, { server, say }: Walk): Promise<void> {
  await page.goto(server.address);
  await page.getByLabel(say('sign_in.username'), { exact: true }).fill('admin');
  await page.getByLabel(say('sign_in.password'), { exact: true }).fill(server.password);
  await page.getByRole('button', { name: say('sign_in.submit'), exact: true }).click();
  await page.waitForURL('**/project/**');
}

/** WebP takes a third of the size of PNG, but Playwright cannot write it. */
async function save(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const image = { format: 'webp', quality: 80 } as const;
  const { data } = await session.send('Page.captureScreenshot', image);
  await session.detach();
  writeFileSync(path, Buffer.from(data, 'base64'));
  console.log(path);
}

const nameOf = ({ name }: Stop, { scheme, width }: Appearance, { language }: Walk): string =>
  `${name}-${scheme}-${width}${language === 'en' ? '' : `-${language}`}.webp`;

async function picture(page: Page, stop: Stop, walk: Walk): Promise<void> {
  const wanted = walk.looks.filter((look) => documents?.has(nameOf(stop, look, walk)) ?? true);
  for (const [index, look] of wanted.entries()) {
    const { scheme, width, height } = look;
    await page.setViewportSize({ width, height });
    // The page is loaded again, because some parts depend on the width at which a screen was
    // opened.
    if (width !== wanted[index - 1]?.width) {
      await page.emulateMedia({ colorScheme: scheme });
      await goTo(page, walk.server.address, { stop, ...walk });
    }
    await showIn(page, scheme);
    await save(page, join(folder, nameOf(stop, look, walk)));
  }
}

async function take(browser: Browser, walk: Walk): Promise<void> {
  const first = Math.max(
    stops.findIndex(({ name }) => name === options.from),
    0,
  );
  const shown = stops
    .slice(first)
    .filter(({ name }) => options.only.some((one) => name.startsWith(one)));
  const visitor = await openPage(browser, walk.language);
  for (const stop of shown) if (stop.for === 'visitor') await picture(visitor, stop, walk);
  const page = await openPage(browser, walk.language);
  await signIn(page, walk);
  for (const stop of shown) if (stop.for !== 'visitor') await picture(page, stop, walk);
}

mkdirSync(folder, { recursive: true });
const server = await startServer();
try {
  const example = await makeExample(server);
  const browser = await launchChromium();
  try {
    for (const [language, all] of Object.entries(languages)) {
      if (!language.startsWith(options.language)) continue;
      const shown = all.filter(({ scheme }) => scheme.startsWith(options.scheme));
      await take(browser, { server, example, language, say: speak(language), looks: shown });
    }
  } finally {
    await browser.close();
  }
} finally {
  await server.stop();
}
