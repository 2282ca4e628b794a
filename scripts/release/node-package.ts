// Finds Node for an architecture: in node_modules, or in the registry of npm, where it has to be the
// package whose checksum stands in package-lock.json.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture, NodePackage } from './program.ts';

interface Lock {
  packages: Record<string, { version: string; integrity: string }>;
}

/** Throws if the package is not in node_modules and cannot be fetched. */
export function findNode(root: string, architecture: Architecture, place: string): NodePackage {
  const name = `node-linux-${architecture}`;
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return { architecture, name, folder: installed };
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const wanted = lock.packages[`node_modules/${name}`];
  if (wanted === undefined) throw new Error(`package-lock.json does not name ${name}`);
  mkdirSync(place, { recursive: true });
  const fetched = ['pack', '--silent', '--pack-destination', place, `${name}@${wanted.version}`];
  execFileSync('npm', fetched, { stdio: ['ignore', 'pipe', 'pipe'] });
  const file = join(place, `${name}-${wanted.version}.tgz`);
  const sum = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (wanted.integrity !== `sha512-${sum}`) {
    throw new Error(`${name} of the registry is not the package of package-lock.json`);
  }
  execFileSync('tar', ['-xzf', file, '-C', place]);
  return { architecture, name, folder: join(place, 'package') };
}
