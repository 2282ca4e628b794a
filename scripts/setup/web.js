// Builds the console again when one of its sources has another time or size.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from '../../bin/built-server.js';
import { Stop, nodeOf, run } from './run.js';

/** Everything that the console is made from. */
export const webSources = [
  'src/web',
  'src/shared',
  'scripts/contract.ts',
  'scripts/words.ts',
  'scripts/guide',
  'docs/guide',
  'docs/images',
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
  const isBuilt = () =>
    existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root, webSources);
  return {
    hasWork: () => !isBuilt(),
    async work() {
      // The fingerprint is taken before the build: a file that is saved meanwhile belongs to the
      // next build.
      const from = fingerprint(root, webSources);
      const result = await run(
        'building the console',
        nodeOf(root),
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
      // Vite empties the folder before it writes, so a failed build leaves no stamp.
      writeFileSync(stamp, from);
    },
  };
}
