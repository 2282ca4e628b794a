// The programs of the browsers besides Chromium, and the Debian packages that have them.

import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';

const packages = {
  'firefox-esr': 'firefox-esr',
  MiniBrowser: 'libwebkit2gtk-4.1-0',
  Xvfb: 'xvfb',
  xdotool: 'xdotool',
};

type BrowserProgram = keyof typeof packages;

const programsOf: Record<string, BrowserProgram[]> = {
  firefox: ['firefox-esr'],
  webkit: ['MiniBrowser', 'Xvfb', 'xdotool'],
};

/** Its folder is on no PATH. */
const webkitFolders = '/usr/lib/{,*/}webkit2gtk-4.1';

function findProgram(name: BrowserProgram): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), webkitFolders];
  return globSync(folders.map((folder) => join(folder, name)))[0];
}

export function programOf(name: BrowserProgram): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(missing([name]));
  return found;
}

const missing = (names: BrowserProgram[]): string =>
  `The tests of this browser need ${names.join(', ')}. On Debian and Ubuntu:\n` +
  `    apt-get install -y --no-install-recommends ${names.map((name) => packages[name]).join(' ')}`;

/** Runs once before the tests of a browser, which are not skipped where it is missing. */
export function setup(project: TestProject): void {
  const names = programsOf[project.config.env['TEST_BROWSER'] ?? ''] ?? [];
  const left = names.filter((name) => findProgram(name) === undefined);
  if (left.length > 0) throw new Error(missing(left));
}
