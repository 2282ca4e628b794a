// Part of `npm run check`: how much of the console a browser loads, compressed as the server
// sends it, before it can draw a screen. Parts that a screen loads later (editors, charts,
// dialogs) do not count. It measures the console that `npm start` and `npm test` use, and builds
// it before when a source has changed.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import { setUp } from './setup/set-up.js';

const folder = join(import.meta.dirname, '../dist/web');

/** In thousands of bytes. */
const limits = { signIn: 200, screen: 300 };

const entry = 'index.html';
const signIn = 'app/session/sign-in.tsx';
// What every screen but the sign-in page needs besides itself, in a project at least.
const frame = ['app/routes/load-app.ts', 'app/shell/shell.tsx', 'app/project/project-frame.tsx'];

/** A file of the bundle, what it imports at once, and their styles. */
function filesOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The bundle has no ${key}`);
  if (found.has(chunk.file)) return found;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
  for (const next of chunk.imports ?? []) filesOf(manifest, next, found);
  return found;
}

async function sizeOf(manifest: Manifest, keys: string[]): Promise<number> {
  const files = new Set(keys.flatMap((key) => [...filesOf(manifest, key)]));
  // The build has written each file compressed beside itself.
  const sizes = [...files].map(async (file) => (await stat(join(folder, `${file}.br`))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}

/** The chunk of the language that takes most: it has to fit as well. */
async function largest(manifest: Manifest, pattern: RegExp): Promise<string> {
  const keys = Object.keys(manifest).filter((key) => pattern.test(key));
  const sizes = await Promise.all(keys.map((key) => sizeOf(manifest, [key])));
  const key = keys[sizes.indexOf(Math.max(...sizes))];
  if (key === undefined) throw new Error(`The bundle has no ${pattern.source}`);
  return key;
}

/** Prints the size of each screen; answers whether all keep to the limits. */
async function measure(): Promise<boolean> {
  // The build leaves it beside the folder.
  const text = await readFile(`${folder}.manifest.json`, 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const screens = (manifest[entry]?.dynamicImports ?? []).filter(
    (key) => /^app\/.*\.tsx$/.test(key) && !frame.includes(key),
  );
  const words = await largest(manifest, /^locales\/.*\.json$/);
  const startWords = await largest(manifest, /virtual:start-words\//);
  let fits = screens.includes(signIn);
  for (const screen of screens) {
    const limit = screen === signIn ? limits.signIn : limits.screen;
    const around = screen === signIn ? [startWords] : [words, ...frame];
    const size = await sizeOf(manifest, [entry, ...around, screen]);
    if (size > limit) fits = false;
    const mark = size > limit ? 'TOO LARGE' : 'ok';
    console.log(`${mark} ${screen}: ${size.toFixed(0)} of ${limit} kB`);
  }
  return fits;
}

const failed = await setUp('console');
process.exitCode = failed || ((await measure()) ? 0 : 1);
