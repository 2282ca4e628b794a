// Installs the roles and collections in a playbook's requirements.yml or .yaml, and caches them for later runs. Those
// that a run needs are linked into its home folder.

import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { listInside } from '../sandbox/inside.ts';
import type { FilePlace, ReadFile, Requirement } from '../sandbox/commands.ts';
import type { ToolResult } from '../programs/process.ts';
import { link, makeFolder } from '../workspace/run-files.ts';
import { giveFolder } from '../workspace/run-users.ts';
import type { InstalledFolder } from './installed.ts';
import { cacheFolder, markUsed } from './caches.ts';
import { collectionsIn, keyOfRequirements } from './requirements-key.ts';

export interface RequirementsOptions {
  config: RunnerConfig;
  projectId: number;
  /** The absolute path of the checkout. */
  root: string;
  /** The path of the playbook in the checkout. */
  playbook: string;
  /** The requirements files that exist, by their paths in the checkout. */
  files: Map<string, ReadFile>;
  /** The search paths that the user has set; null: Ansible's defaults. */
  roles: string | null;
  collections: string | null;
  home: string;
  user: RunUser | null;
  /** Changes with sources inside the repository: the commit and the working folder. */
  version: string;
  /** `always`: into `ownFolder`, the folder of the run, and not for later runs. */
  when: 'when_changed' | 'always' | 'never';
  ownFolder: string;
  /** Changes with ansible-galaxy and its settings, such as its servers. */
  settings: string;
  /** The folder in which ansible-galaxy is called. */
  cwd: string;
  /** Runs ansible-galaxy with these variables; `into` is the folder into which it installs. */
  galaxy: (args: string[], env: Record<string, string>, into: string) => Promise<ToolResult>;
  say: (lines: string[]) => Promise<void>;
}

// The file for one kind precedes the file for both kinds.
const namesOf: Record<Requirement, string[]> = {
  collection: ['collections/requirements', 'requirements'],
  role: ['roles/requirements', 'requirements'],
};

const usualEnding = '.yml';
const endings = [usualEnding, '.yaml'];

/** The folder of the playbook and all folders above it, up to the top of the checkout. */
function foldersAbove(playbook: string): string[] {
  const folder = dirname(playbook);
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)];
}

const placesOf = (playbook: string, kind: Requirement): string[] =>
  foldersAbove(playbook).flatMap((folder) =>
    namesOf[kind].flatMap((name) => endings.map((ending) => join(folder, `${name}${ending}`))),
  );

/** The file of the same name with the usual ending, which has priority; null: none. */
function usedInstead(shown: string, files: Map<string, unknown>): string | null {
  const usual = shown.replace(/\.yaml$/, usualEnding);
  return usual !== shown && files.has(usual) ? usual : null;
}

/** All paths in the checkout where a playbook may have requirements. */
export const requirementPlaces = (playbook: string): string[] => [
  ...new Set([...placesOf(playbook, 'collection'), ...placesOf(playbook, 'role')]),
];

/** Returns the variables by which Ansible finds the requirements, and the folders that have them. */
export async function installRequirements(
  options: RequirementsOptions,
): Promise<{ variables: Record<string, string>; folders: InstalledFolder[] }> {
  const { root, playbook, files } = options;
  const folders: InstalledFolder[] = [];
  const leftOut = new Map<string, string>();
  // Collections first: a role may need one.
  for (const kind of ['collection', 'role'] as const) {
    for (const shown of placesOf(playbook, kind)) {
      const file = files.get(shown);
      if (!file?.asksFor.includes(kind)) continue;
      const words = whyLeftOut(shown, options);
      if (words !== null) {
        leftOut.set(shown, words);
        continue;
      }
      const kept = await keep(options, kind, { ...file, path: join(root, shown), shown });
      folders.push({ kind, path: kept });
      await linkInto(options, kind, kept);
    }
  }
  await options.say([...leftOut.values()]);
  return { variables: folders.length > 0 ? pathVariables(options) : {}, folders };
}

/** The line of the log for a file that is not installed; null: it is. */
function whyLeftOut(shown: string, { when, files }: RequirementsOptions): string | null {
  if (when === 'never') return notInstalled(shown);
  const other = usedInstead(shown, files);
  return other === null ? null : `${shown}: not used, since there is a ${other} too`;
}

export const notInstalled = (shown: string): string =>
  `${shown}: not installed, as the settings of the template say`;

interface RequirementsFile extends Pick<ReadFile, 'text' | 'localSources'> {
  path: string;
  shown: string;
}

/** The folder with the installed requirements of a file, cached or new. */
async function keep(
  options: RequirementsOptions,
  kind: Requirement,
  wanted: RequirementsFile,
): Promise<string> {
  const { config, say, user, when, ownFolder, collections, cwd } = options;
  if (when === 'always') {
    const own = await mkdtemp(join(ownFolder, `${kind}s-`));
    await install(options, kind, { ...wanted, folder: own });
    return own;
  }
  const present = collectionsIn(collections ?? usualCollections, cwd);
  const sources = { ...options, ...wanted, kind, present, galaxy: options.settings };
  const kept = cacheFolder(config, 'galaxy', keyOfRequirements(sources));
  if (await readdir(kept).catch(() => null)) {
    await markUsed(kept);
    await say([`${wanted.shown}: ${kind}s are installed already`]);
    return kept;
  }
  await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${kept}.`);
  try {
    await install(options, kind, { ...wanted, folder: draft });
    if (user) await keepForAll(draft);
    // A concurrent run may have installed the same before.
    await rename(draft, kept).catch(() => undefined);
    return kept;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function install(
  options: RequirementsOptions,
  kind: Requirement,
  { path, shown, folder }: RequirementsFile & { folder: string },
): Promise<void> {
  const { galaxy, say, user } = options;
  await say([`${shown}: installing ${kind}s`]);
  if (user) await giveFolder(folder, user);
  const env = kind === 'collection' ? searchedToo(options, folder) : {};
  const args = [kind, 'install', '-r', path, '-p', folder];
  const { exitCode, stdout, stderr, failure } = await galaxy(args, env, folder);
  await say(`${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== ''));
  if (exitCode !== 0) {
    throw new Error(failure ?? `ansible-galaxy ended with the exit code ${exitCode}.`);
  }
}

/** Prevents a wrong warning of ansible-galaxy that the collections will not be found: it ignores the links. */
const searchedToo = ({ collections }: RequirementsOptions, draft: string) => ({
  ANSIBLE_COLLECTIONS_PATH: `${draft}:${collections ?? usualCollections}`,
});

const usualCollections = '~/.ansible/collections:/usr/share/ansible/collections';

/** Only the runner may change the folder, and every user who knows its name may read it. */
async function keepForAll(folder: string): Promise<void> {
  await giveFolder(folder, null);
  await chmod(folder, 0o755);
}

/** Links the installed folders into the home of the run: a role, or a collection below its namespace. */
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

/** `listInside` follows no link out of the folder, since its content is untrusted. */
async function linkAll({ root, path }: FilePlace, to: string, user: RunUser | null): Promise<void> {
  await makeFolder(to, user);
  // An existing entry stays, so the nearest requirements file wins.
  for (const name of listInside(root, path)) {
    await link(join(root, path, name), join(to, name), user);
  }
}

/** Ansible searches the folders by default. If the user has set others, they are put before them. */
function pathVariables({ roles, collections, home }: RequirementsOptions): Record<string, string> {
  const before = (kind: string, theirs: string): string =>
    `${join(home, '.ansible', kind)}:${theirs}`;
  return {
    ...(roles && { ANSIBLE_ROLES_PATH: before('roles', roles) }),
    ...(collections && { ANSIBLE_COLLECTIONS_PATH: before('collections', collections) }),
  };
}
