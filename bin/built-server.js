// Finds the built server, and tells whether it was built from the present sources. Each build has a
// folder of its own, named by a fingerprint of its sources. So a build is never used for other
// sources, and a running server keeps the files that it has not loaded yet.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that a build of the server is made from: files and folders of the checkout. */
export const serverSources = [
  'src/server',
  'src/node',
  'src/runner',
  'src/shared',
  'scripts/build-server.ts',
  'package.json',
  'package-lock.json',
];

/** @param {string} root */
export const buildsFolder = (root) => join(root, 'dist', 'server');

/**
 * The folder of the build that belongs to the sources of a checkout, whether it exists or not.
 * @param {string} root
 */
export const buildFolder = (root) =>
  join(buildsFolder(root), fingerprint(root, serverSources).slice(0, 16));

/**
 * The main file of the build that fits the sources, or null if there is none. An image without
 * sources contains one build, which fits.
 * @param {string} root
 *
 */
export function findBuiltServer(root) {
  const folder = existsSync(join(root, 'src/server')) ? buildFolder(root) : onlyBuild(root);
  const main = join(folder, 'main.js');
  return existsSync(main) ? main : null;
}

/** @param {string} root */
function onlyBuild(root) {
  const folder = buildsFolder(root);
  const builds = existsSync(folder) ? readdirSync(folder).filter((name) => !isDraft(name)) : [];
  return join(folder, builds.length === 1 ? `${builds[0]}` : 'none');
}

/**
 * Whether a folder of dist/server is an unfinished build.
 * @param {string} name
 *
 */
export const isDraft = (name) => name.startsWith('.');

/**
 * A text that changes when a file of these folders changes its name, time or size. Test files do
 * not count.
 * @param {string} root
 * @param {string[]} sources
 *
 */
export function fingerprint(root, sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const found = statSync(join(root, source), { throwIfNoEntry: false });
    if (found?.isDirectory()) addFolder(hash, root, source);
    else if (found) addFile(hash, root, source);
  }
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} folder
 */
function addFolder(hash, root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) addFolder(hash, root, path);
    else if (!/\.test\.tsx?$/.test(entry.name)) addFile(hash, root, path);
  }
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path
 */
function addFile(hash, root, path) {
  const { mtimeMs, size } = statSync(join(root, path));
  hash.update(`${path}\0${mtimeMs}\0${size}\n`);
}
