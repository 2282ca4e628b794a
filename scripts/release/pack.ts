// Packs folders: the package for npm, and archives. The same folder always makes the same bytes.

import { execFileSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

/** Returns the file that `npm pack` has made in the folder `to`. */
export function packForNpm(folder: string, to: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to, folder];
  const printed = execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return join(to, printed.trim());
}

/** An archive with the folder in it, sorted, and owned by root. */
export function packArchive(folder: string, file: string, time: number): string {
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const order = ['--sort=name', '--format=ustar', `--mtime=@${time}`];
  const place = ['-C', dirname(folder), basename(folder)];
  execFileSync('tar', ['-I', 'gzip -n', '-cf', file, ...owner, ...order, ...place]);
  return file;
}
