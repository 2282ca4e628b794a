// Makes all artefacts of a release in one folder.

import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findProgram } from '../setup/run.js';
import type { Checkout } from './checkout.ts';
import { makeDebianPackage } from './debian.ts';
import { settle } from './folders.ts';
import { findNode } from './node-package.ts';
import { packArchive, packForNpm } from './pack.ts';
import { writeNotes, writeSbom, writeSums } from './papers.ts';
import { addPackages, makeProgram, type Architecture, type NodePackage } from './program.ts';

export interface Artefact {
  file: string;
  bytes: number;
  seconds: number;
}

export interface Release {
  artefacts: Artefact[];
  /** What could not be made, each with the reason. */
  leftOut: string[];
}

interface Making {
  checkout: Checkout;
  /** The folder for the artefacts; what lies there is removed. */
  to: string;
  /** Called after each artefact. */
  made?: (artefact: Artefact) => void;
}

/** The folder `to` has only artefacts at the end; a folder beside it is used meanwhile. */
export async function makeRelease(
  { checkout, to, made = () => undefined }: Making,
  architectures: readonly Architecture[],
): Promise<Release> {
  const work = `${to}.work`;
  for (const folder of [to, work]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [to, work]) mkdirSync(folder, { recursive: true });
  const release: Release = { artefacts: [], leftOut: [] };
  let started = performance.now();
  const add = (file: string): void => {
    const now = performance.now();
    const artefact = { file, bytes: statSync(file).size, seconds: (now - started) / 1000 };
    release.artefacts.push(artefact);
    made(artefact);
    started = now;
  };
  const program = join(work, 'program');
  await makeProgram(checkout, program);
  add(packForNpm(program, to));
  for (const architecture of architectures) {
    const found = tried(() => findNode(checkout.root, architecture, join(work, architecture)));
    if (typeof found === 'string') {
      release.leftOut.push(`what is for ${architecture}: ${found}`);
      continue;
    }
    const folder = withPackages({ checkout, program, node: found, work });
    const name = `${basename(folder)}-linux-${architecture}.tar.gz`;
    add(packArchive(folder, join(to, name), checkout.time));
    if (findProgram('dpkg-deb') === null) {
      release.leftOut.push(`the Debian package for ${architecture}: dpkg-deb is not installed`);
      continue;
    }
    const root = join(work, `debian-${architecture}`);
    add(makeDebianPackage({ checkout, architecture, program: folder, root, to }));
  }
  add(writeSbom(checkout, to));
  if (checkout.notes !== '') add(writeNotes(checkout, to));
  const files = release.artefacts.map(({ file }) => file);
  add(writeSums(files, to));
  rmSync(work, { recursive: true });
  return release;
}

interface Parts {
  checkout: Checkout;
  program: string;
  node: NodePackage;
  work: string;
}

/** A copy of the program with the packages that it needs on one architecture. */
function withPackages({ checkout, program, node, work }: Parts): string {
  const folder = join(work, node.name, `signalbox-${checkout.version}`);
  cpSync(program, folder, { recursive: true });
  addPackages(checkout.root, folder, node);
  settle(folder, checkout.time, ['bin/signalbox', 'node_modules/node-linux-*/bin/node']);
  return folder;
}

/** Returns the result of the function, or the first line of its error. */
function tried<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: Buffer };
    const [line = ''] = (stderr?.toString().trim() || message).split('\n');
    return line;
  }
}
