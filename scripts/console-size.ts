// Part of `npm run check`: measures how much of the console a browser has to load, compressed as
// the server sends it, before it can draw a screen. Parts that a screen loads later (editors,
// charts, dialogs) do not count. It measures the console that `npm start` and `npm test` use, and
// builds it first if a source has changed.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import { setUp } from './setup/set-up.js';

const folder = join(import.meta.dirname, '../dist/web');

/** In kB, of scripts, styles and words; a first page may load 350 with everything else. */
const limits = { signIn: 200, screen: 320 };
/** How many files of scripts and styles a screen loads; each is a request. */
const mostFiles = 18;

const entry = 'index.html';
const signIn = 'app/session/sign-in.tsx';
// The name of the file with zod and the schemas of the contract: see record 51.
const schemas = 'schemas';
// What every screen except the sign-in page needs in addition to its own files.
const frame = ['app/routes/frame.ts'];

/** A file of the bundle, the files that it imports statically, and their styles. */
function filesOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The bundle has no ${key}`);
  if (found.has(chunk.file)) return found;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
  for (const next of chunk.imports ?? []) filesOf(manifest, next, found);
  return found;
}

const filesOfAll = (manifest: Manifest, keys: string[]): Set<string> =>
  new Set(keys.flatMap((key) => [...filesOf(manifest, key)]));

async function sizeOf(manifest: Manifest, keys: string[]): Promise<number> {
  const files = filesOfAll(manifest, keys);
  // The build has written a compressed copy beside each file.
  const sizes = [...files].map(async (file) => (await stat(join(folder, `${file}.br`))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}

/** The largest chunk of a language, which has to fit as well. */
async function largest(manifest: Manifest, pattern: RegExp): Promise<string> {
  const keys = Object.keys(manifest).filter((key) => pattern.test(key));
  const sizes = await Promise.all(keys.map((key) => sizeOf(manifest, [key])));
  const key = keys[sizes.indexOf(Math.max(...sizes))];
  if (key === undefined) throw new Error(`The bundle has no ${pattern.source}`);
  return key;
}

/** The screens are what the first files load later, other than the frame around them. */
function screensOf(manifest: Manifest): string[] {
  const first = filesOf(manifest, entry);
  const later = Object.values(manifest)
    .filter(({ file }) => first.has(file))
    .flatMap(({ dynamicImports = [] }) => dynamicImports);
  return [...new Set(later)].filter((key) =>
    /^app\/(?:project|session|system)\/.*\.tsx?$/.test(key),
  );
}

/** The file of the schemas; without it, they would be somewhere in the first files. */
function schemasOf(manifest: Manifest): string {
  const file = Object.values(manifest).find(({ name }) => name === schemas)?.file;
  if (file === undefined) throw new Error(`The bundle has no file of its own for ${schemas}`);
  return file;
}

/** Prints the size of each screen; returns whether all are within the limits. */
async function measure(): Promise<boolean> {
  // The build writes the manifest beside the folder.
  const text = await readFile(`${folder}.manifest.json`, 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const screens = screensOf(manifest);
  const words = await largest(manifest, /^(?:locales\/.*\.json|.*virtual:all-words\/.*)$/);
  const startWords = await largest(manifest, /virtual:start-words\//);
  const schemaFile = schemasOf(manifest);
  let fits = screens.includes(signIn);
  for (const screen of screens) {
    const limit = screen === signIn ? limits.signIn : limits.screen;
    const around = screen === signIn ? [startWords] : [words, ...frame];
    const size = await sizeOf(manifest, [entry, ...around, screen]);
    const files = filesOfAll(manifest, [entry, ...around, screen]);
    const isTooLarge = size > limit || files.size > mostFiles;
    const hasSchemas = files.has(schemaFile);
    if (isTooLarge || hasSchemas) fits = false;
    const mark = hasSchemas ? 'LOADS SCHEMAS' : isTooLarge ? 'TOO LARGE' : 'ok';
    console.log(
      `${mark} ${screen}: ${size.toFixed(0)} of ${limit} kB, ${files.size} of ${mostFiles} files`,
    );
  }
  return fits;
}

const failed = await setUp('console');
process.exitCode = failed || ((await measure()) ? 0 : 1);
