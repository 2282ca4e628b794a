// Starts Firefox ESR, which Playwright drives by WebDriver BiDi.

import { type Browser, firefox, type Page } from 'playwright-core';
import { internalsOf } from './playwright-internals.ts';
import { programOf } from './programs.ts';

type Params = Record<string, unknown>;

interface BidiSession {
  send: (method: string, params: Params) => Promise<Params>;
}

const ofBrowser = '_browserSession';
const ofPage = '_session';

interface BidiBrowser {
  [ofBrowser]: BidiSession;
}

interface BidiPage {
  delegate: { [ofPage]: { sessionId: string }; updateEmulateMedia: () => Promise<void> };
  emulatedMedia: () => Record<'media' | 'colorScheme' | 'forcedColors', string>;
}

const preferences = {
  // Animations are switched off, as in Chromium.
  'ui.prefersReducedMotion': 1,
  // A mouse, which hovers; without a screen there is none.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // The bars of scrolling take room.
  'widget.gtk.overlay-scrollbars.enabled': false,
  'widget.non-native-theme.scrollbar.size.override': 14,
};

/** Firefox may show the same page to scripts of its own windows, which can emulate media. */
const args = ['--remote-allow-system-access'];

export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: programOf('firefox-esr'),
    args,
    firefoxUserPrefs: preferences,
    timeout: 120_000,
  });
  ignoreMediaFeatures((internalsOf(browser) as BidiBrowser)[ofBrowser]);
  return browser;
}

/** Firefox 153 does not know this command, which Playwright sends for each context. */
function ignoreMediaFeatures(session: BidiSession): void {
  const sessions = Object.getPrototypeOf(session) as BidiSession;
  const { send } = sessions;
  sessions.send = function sendKnown(method, params) {
    if (method === 'emulation.setMediaFeaturesOverride') return Promise.resolve({});
    return send.call(this, method, params);
  };
}

/** Lets `emulateMedia` of a page set what the tools of Firefox for developers set. */
export function emulateMediaIn(page: Page): void {
  const browser = internalsOf(page.context().browser() as Browser) as BidiBrowser;
  const session = browser[ofBrowser];
  const internals = internalsOf(page) as BidiPage;
  const { delegate } = internals;
  // A document of another origin, or with another opener policy, is shown as the system wants it.
  page.on('domcontentloaded', () => void delegate.updateEmulateMedia().catch(() => undefined));
  delegate.updateEmulateMedia = async () => {
    const { media, colorScheme, forcedColors } = internals.emulatedMedia();
    const choice = (value: string): string => (value === 'no-override' ? 'none' : value);
    const overrides = {
      mediumOverride: media === 'no-override' ? '' : media,
      prefersColorSchemeOverride: choice(colorScheme),
      forcedColorsOverride: choice(forcedColors),
    };
    const { contexts } = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
    const [chrome] = contexts as { context: string }[];
    await session.send('script.callFunction', {
      functionDeclaration: String(overrideMedia),
      arguments: [delegate[ofPage].sessionId, JSON.stringify(overrides)].map((value) => ({
        type: 'string',
        value,
      })),
      target: { context: chrome?.context },
      awaitPromise: false,
    });
  };
}

/** Runs in a window of Firefox. */
function overrideMedia(id: string, overrides: string): void {
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  Object.assign(NavigableManager.getBrowsingContextById(id), JSON.parse(overrides));
}

/** What scripts of Firefox itself can use. */
declare const ChromeUtils: {
  importESModule: (address: string) => {
    NavigableManager: { getBrowsingContextById: (id: string) => object };
  };
};
