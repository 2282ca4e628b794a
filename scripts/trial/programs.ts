// Runs the programs that the tests of the image and of the Debian package need, to their end.

import { execFileSync } from 'node:child_process';
import { findProgram } from '../setup/run.js';

/** Runs a program and returns its output; its errors are shown as they come. */
export const output = (command: string, args: string[]): string =>
  execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });

/** Runs a program and drops its output. */
export const program = (command: string, args: string[]): void => void output(command, args);

/** Runs buildah and returns the name or path that it prints. */
export const buildah = (...args: string[]): string => output('buildah', args).trim();

/** Why a test cannot run here, for people; empty: it can. `packageOf`: Debian packages by program. */
export function reasonAgainst(packageOf: Record<string, string>): string {
  const lacks = Object.keys(packageOf).filter((name) => findProgram(name) === null);
  if (lacks.length > 0) {
    const packages = lacks.map((name) => packageOf[name]).join(' ');
    return `These programs are missing. On Debian: apt-get install --no-install-recommends ${packages}`;
  }
  return process.getuid?.() === 0 ? '' : 'Only root can run this test.';
}
