// The console: built again when anything it is made of has another time or size.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Stop, run } from './run.js';

const sources = [
  'src/web',
  'src/shared',
  'scripts/start-words.ts',
  'vite.config.ts',
  'tsconfig.base.json',
  'package.json',
  'package-lock.json',
];

/**
 * @param {string} root
 * @returns {import('./set-up.js').Step}
 */
export function webStep(root) {
  const stamp = join(root, 'dist', 'web', '.built-from');
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root);
  return {
    hasWork: () => !isBuilt(),
    async work() {
      // Taken first: what is saved during the build belongs to the next one.
      const from = fingerprint(root);
      const packaged = join(root, 'node_modules', '.bin', 'node');
      const result = await run(
        'building the console',
        existsSync(packaged) ? packaged : process.execPath,
        [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
        { cwd: root },
      );
      if (!result.succeeded) {
        throw new Stop(
          `The console could not be built. "vite build" printed:\n${result.output}\n\n` +
            'What to do: correct what it names and run the same command again. In an unchanged\n' +
            'checkout, delete the folder node_modules first.',
        );
      }
      // Vite empties the folder before it writes, so the stamp of a broken build is gone.
      writeFileSync(stamp, from);
    },
  };
}

/** @param {string} root */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, root, join(root, source));
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path
 */
function addTo(hash, root, path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, root, join(path, name));
  } else if (found && !/\.test\.tsx?$/.test(path)) {
    hash.update(`${relative(root, path)}\0${found.mtimeMs}\0${found.size}\n`);
  }
}
