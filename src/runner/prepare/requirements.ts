// Roles and collections that a playbook asks for in a requirements.yml, installed before it
// runs and kept for later runs. What a run needs is linked into its own HOME.

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
  /** Those of the playbook's `places`, in their order; null: there is no such file. */
  files: (ReadFile | null)[];
  /** Folder of the playbook: whole, and as the log shows it. */
  folder: string;
  shownFolder: string;
  /** The folders of roles and collections that the user names; null: those that Ansible has by itself. */
  roles: string | null;
  collections: string | null;
  /** HOME of the run. */
  home: string;
  /** Who the run's programs run as. */
  user: RunUser | null;
  /** Hash of what is checked out: sources inside the repository change with it. */
  version: string;
  /** Calls ansible-galaxy in the folder of these files. */
  galaxy: (args: string[]) => Promise<ToolResult>;
  say: (lines: string[]) => Promise<void>;
}

/** Beside the playbook, and in the folders that Ansible's own layout has for them. */
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

/** Installs what is asked for; answers variables for Ansible, if it has to be told the place. */
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

/** The folder of their own before the file of both. */
const inOrder = (kind: Requirement) =>
  places
    .filter((path) => kindsOf[path].includes(kind))
    .sort((a, b) => Number(a === 'requirements.yml') - Number(b === 'requirements.yml'));

interface Wanted {
  path: string;
  text: string;
  shown: string;
}

// A path of the repository or of the server, whose content the file does not fix.
const localSource = /(?:^|\s)["']?(?:\.{0,2}\/|file:)/;

/** The folder of what the file asks for, from an earlier run or installed now. */
async function keep(
  options: RequirementsOptions,
  kind: Requirement,
  wanted: Wanted,
): Promise<string> {
  const { config, projectId, version, galaxy, say, user } = options;
  // What one project has the keys for is not for the others.
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
    // Another run may have been quicker; what it has installed is the same.
    await rename(draft, kept).catch(() => undefined);
    return kept;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** From now on nobody but the server changes it, and whoever knows its name reads it. */
async function keepForAll(folder: string): Promise<void> {
  await giveFolder(folder, null);
  await chmod(folder, 0o755);
}

/** Roles are folders by name; collections are folders in the folder of their namespace. */
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

/** What was installed is foreign too: a link in it leads nowhere else. */
async function linkAll({ root, path }: FilePlace, to: string, user: RunUser | null): Promise<void> {
  await makeFolder(to, user);
  // The first place that asks for something wins.
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
