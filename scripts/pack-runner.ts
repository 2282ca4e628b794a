// `npm run build:runner`: packs all that a remote runner needs of Signalbox into one file. The
// built server contains its packages, so the machine of the runner needs only Node.

import { execFileSync } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { findBuiltServer } from '../bin/built-server.js';
import { version } from '../src/node/process/version.ts';

/** Packs the build that belongs to the sources of a checkout. */
export function packRunner(root: string, file: string): void {
  const main = findBuiltServer(root);
  if (main === null) throw new Error('The server has not been built: npm run build');
  const paths = ['bin', 'deploy', 'package.json', relative(root, dirname(main))];
  execFileSync('tar', ['-czf', file, '-C', root, ...paths]);
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const file = join(root, 'dist', `signalbox-runner-${version}.tar.gz`);
  packRunner(root, file);
  console.log(`signalbox: ${relative(process.cwd(), file)}`);
}
