// Installs the roles and collections that a playbook lists in a requirements.yml, and keeps them for
// later runs. Those that a run needs are linked into its HOME.

import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';
import type { RunUser } from '../system/run-as.ts';
import { listInside } from '../foreign/inside.ts';
import type { FilePlace, ReadFile, Requirement } from '../foreign/orders.ts';
import type { ToolResult } from '../programs/process.ts';
import { link, makeFolder } from '../workspace/run-files.ts';
import { giveFolder } from '../workspace/run-users.ts';
import { cacheFolder, markUsed } from './caches.ts';

export interface RequirementsOptions {
  config: RunnerConfig;
  projectId: number;
  /** The files at the `places`, in the same order; null: there is no such file. */
  files: (ReadFile | null)[];
  /** The playbook's folder: its absolute path, and the path that the log shows. */
  folder: string;
  shownFolder: string;
  /** The folders of roles and collections that the user names; null: those that Ansible has by itself. */
  roles: string | null;
  collections: string | null;
  /** HOME of the run. */
  home: string;
  /** The user of the run's programs. */
  user: RunUser | null;
  /** Hash of the commit, with which sources inside the repository change. */
  version: string;
  /** Calls ansible-galaxy in the folder of these files. */
  galaxy: (args: string[]) => Promise<ToolResult>;
  say: (lines: string[]) => Promise<void>;
}

/** The paths of requirements files, relative to the playbook's folder, as Ansible's layout has them. */
export const places = [
  'collections/requirements.yml',
  'requirements.yml',
  'roles/requirements.yml',
] as const;

const kindsOf: Record<(typeof places)[number], Requirement[]> = {
  'collections/requirements.yml': ['collection'],
  'requirements.yml': ['collection', 'role'],
  'roles/requirements.yml': ['role'],
};

/** Installs the requirements; answers the variables with which Ansible finds them. */
export async function installRequirements(
  options: RequirementsOptions,
): Promise<Record<string, string>> {
  const { files, folder, shownFolder } = options;
  let isAnything = false;
  // Collections first: a role may need one.
  for (const kind of ['collection', 'role'] as const) {
    for (const path of inOrder(kind)) {
      const file = files[places.indexOf(path)];
      if (!file?.asksFor.includes(kind)) continue;
      isAnything = true;
      const shown = join(shownFolder, path);
      const kept = await keep(options, kind, { path: join(folder, path), text: file.text, shown });
      await linkInto(options, kind, kept);
    }
  }
  return isAnything ? pathVariables(options) : {};
}

/** The file for one kind comes before the file for both kinds. */
const inOrder = (kind: Requirement) =>
  places
    .filter((path) => kindsOf[path].includes(kind))
    .sort((a, b) => Number(a === 'requirements.yml') - Number(b === 'requirements.yml'));

interface Wanted {
  path: string;
  text: string;
  shown: string;
}

// A source that is a local path, whose content can change while the requirements stay the same.
const localSource = /(?:^|\s)["']?(?:\.{0,2}\/|file:)/;

/** The folder with the installed requirements of a file, from an earlier run or installed now. */
async function keep(
  options: RequirementsOptions,
  kind: Requirement,
  wanted: Wanted,
): Promise<string> {
  const { config, projectId, version, galaxy, say, user } = options;
  // Each project has its own folders, because other projects may not have the keys of its sources.
  const hash = createHash('sha256').update(`${projectId}\0${kind}\0${wanted.text}`);
  if (localSource.test(wanted.text)) hash.update(`\0${version}`);
  const kept = cacheFolder(config, 'galaxy', hash);
  if (await readdir(kept).catch(() => null)) {
    await markUsed(kept);
    await say([`${wanted.shown}: ${kind}s are installed already`]);
    return kept;
  }
  await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${kept}.`);
  try {
    await say([`${wanted.shown}: installing ${kind}s`]);
    if (user) await giveFolder(draft, user);
    const args = [kind, 'install', '-r', wanted.path, '-p', draft];
    const { exitCode, stdout, stderr, failure } = await galaxy(args);
    await say(`${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== ''));
    if (exitCode !== 0) {
      throw new Error(failure ?? `ansible-galaxy ended with the exit code ${exitCode}.`);
    }
    if (user) await keepForAll(draft);
    // Another run may have been quicker; it has installed the same.
    await rename(draft, kept).catch(() => undefined);
    return kept;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** From now on only the runner may change the folder, and every user who knows its name may read it. */
async function keepForAll(folder: string): Promise<void> {
  await giveFolder(folder, null);
  await chmod(folder, 0o755);
}

/** Links the installed folders into HOME: a role has one folder, a collection one in its namespace's. */
async function linkInto(
  { home, user }: RequirementsOptions,
  kind: Requirement,
  kept: string,
): Promise<void> {
  const place = { root: kept, path: '' };
  if (kind === 'role') return linkAll(place, join(home, '.ansible', 'roles'), user);
  for (const name of listInside(kept, collectionsFolder).filter((entry) => !entry.includes('.'))) {
    const path = join(collectionsFolder, name);
    await linkAll({ root: kept, path }, join(home, '.ansible/collections', path), user);
  }
}

const collectionsFolder = 'ansible_collections';

/** Links all entries of a folder. `listInside` follows no link out of it, since others wrote its content. */
async function linkAll({ root, path }: FilePlace, to: string, user: RunUser | null): Promise<void> {
  await makeFolder(to, user);
  // An entry that exists already stays, so the first requirements file wins.
  for (const name of listInside(root, path)) {
    await link(join(root, path, name), join(to, name), user);
  }
}

/** Ansible looks into our folders by itself, unless it is told others: then ours come before them. */
function pathVariables({ roles, collections, home }: RequirementsOptions): Record<string, string> {
  const before = (kind: string, theirs: string): string =>
    `${join(home, '.ansible', kind)}:${theirs}`;
  return {
    ...(roles && { ANSIBLE_ROLES_PATH: before('roles', roles) }),
    ...(collections && { ANSIBLE_COLLECTIONS_PATH: before('collections', collections) }),
  };
}
