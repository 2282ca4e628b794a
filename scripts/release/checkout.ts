// The checkout that a release is made from: its version, and whether it may be released.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseOf } from './changelog.ts';

export interface Checkout {
  root: string;
  version: string;
  /** The time of the commit, in seconds since 1970: every file of an artefact has it. */
  time: number;
  /** The lines of the changelog about this version; empty if it is not released yet. */
  notes: string;
}

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

export function readCheckout(root: string): Checkout {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const time = Number(git(root, 'log', '-1', '--format=%ct'));
  return { root, version, time, notes: releaseOf(changelog, version)?.text ?? '' };
}

/** Why no release may be made of a checkout; empty: one may be made. */
export function reasonsAgainst({ root, version, notes }: Checkout): string[] {
  const changed = git(root, 'status', '--porcelain');
  return [
    ...(changed === '' ? [] : [`The checkout has changes that are not committed:\n${changed}`]),
    ...(notes === '' ? [`CHANGELOG.md has no section "[${version}] - YYYY-MM-DD".`] : []),
  ];
}
