// Starts the Chromium of the machine; none is downloaded.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

// scripts/setup/programs.js looks for the same names.
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

// Chromium draws nothing on a screen and sends no requests of its own.
const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update'];

const options = () => ({
  executablePath: findChromium(),
  headless: true,
  timeout: 120_000,
  // Chromium's own sandbox refuses to run as root.
  args: [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});

/** Starts a browser for one process. `withBars`: with scroll bars that take room, as on Windows. */
export function launchChromium({ withBars = false } = {}): Promise<Browser> {
  return chromium.launch({
    ...options(),
    ...(withBars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
  });
}

/** Starts a browser for several processes, which connect to its address. It ends with this process. */
export function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer({ ...options(), host: '127.0.0.1' });
}

function findChromium(): string {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const found = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(
      'No Chromium found. Run "npm test", which installs it on Debian and Ubuntu, install the ' +
        'package "chromium", or set CHROMIUM to the path of a Chromium or Chrome.',
    );
  }
  return found;
}
