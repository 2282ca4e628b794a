// Installs the roles and collections that a playbook lists in a requirements.yml or .yaml, and keeps them for
// later runs. Those that a run needs are linked into its home folder.

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
  /** The files that exist, by their paths in the checkout. */
  files: Map<string, ReadFile>;
  /** The folders of roles and collections that the user has set; null: Ansible uses its defaults. */
  roles: string | null;
  collections: string | null;
  /** The home folder of the run itself. */
  home: string;
  /** The user of the run's programs. */
  user: RunUser | null;
  /** Changes with the sources inside the repository: the commit and the folder of the run. */
  version: string;
  /** `always`: into the folder of the run, `ownFolder`, and not for later runs. */
  when: 'when_changed' | 'always' | 'never';
  ownFolder: string;
  /** Changes with ansible-galaxy and its settings, such as its servers. */
  settings: string;
  /** The folder in which ansible-galaxy is called. */
  cwd: string;
  /** Calls ansible-galaxy in the folder of these files, with these variables. */
  galaxy: (args: string[], env: Record<string, string>) => Promise<ToolResult>;
  say: (lines: string[]) => Promise<void>;
}

// The file for one kind comes before the file for both kinds.
const namesOf: Record<Requirement, string[]> = {
  collection: ['collections/requirements', 'requirements'],
  role: ['roles/requirements', 'requirements'],
};

const usualEnding = '.yml';
const endings = [usualEnding, '.yaml'];

/** The folder of the playbook, and each folder above it up to the top of the checkout. */
function foldersAbove(playbook: string): string[] {
  const folder = dirname(playbook);
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)];
}

const placesOf = (playbook: string, kind: Requirement): string[] =>
  foldersAbove(playbook).flatMap((folder) =>
    namesOf[kind].flatMap((name) => endings.map((ending) => join(folder, `${name}${ending}`))),
  );

/** The file that is used in place of this one, because it has the same name with the usual ending; null: none. */
function usedInstead(shown: string, files: Map<string, unknown>): string | null {
  const usual = shown.replace(/\.yaml$/, usualEnding);
  return usual !== shown && files.has(usual) ? usual : null;
}

/** The paths in the checkout at which the requirements of a playbook may be. */
export const requirementPlaces = (playbook: string): string[] => [
  ...new Set([...placesOf(playbook, 'collection'), ...placesOf(playbook, 'role')]),
];

interface Installed {
  /** The variables with which Ansible finds the requirements. */
  variables: Record<string, string>;
  folders: InstalledFolder[];
}

export async function installRequirements(options: RequirementsOptions): Promise<Installed> {
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

/** What the log says of a file that is not installed; null: it is. */
function whyLeftOut(shown: string, { when, files }: RequirementsOptions): string | null {
  if (when === 'never') return notInstalled(shown);
  const other = usedInstead(shown, files);
  return other === null ? null : `${shown}: not used, since there is a ${other} too`;
}

/** What the log says of requirements that the template leaves out. */
export const notInstalled = (shown: string): string =>
  `${shown}: not installed, as the settings of the template say`;

interface RequirementsFile extends Pick<ReadFile, 'text' | 'localSources'> {
  path: string;
  shown: string;
}

/** The folder with the installed requirements of a file, from an earlier run or installed now. */
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
  const hash = keyOfRequirements({
    ...options,
    ...wanted,
    kind,
    present,
    galaxy: options.settings,
  });
  const kept = cacheFolder(config, 'galaxy', hash);
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
    // Another run may have been quicker; it has installed the same.
    await rename(draft, kept).catch(() => undefined);
    return kept;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Installs the requirements of a file into a folder. */
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
  const { exitCode, stdout, stderr, failure } = await galaxy(args, env);
  await say(`${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== ''));
  if (exitCode !== 0) {
    throw new Error(failure ?? `ansible-galaxy ended with the exit code ${exitCode}.`);
  }
}

/** Without this ansible-galaxy says that the collections will not be found: it knows nothing of our links. */
const searchedToo = ({ collections }: RequirementsOptions, draft: string) => ({
  ANSIBLE_COLLECTIONS_PATH: `${draft}:${collections ?? usualCollections}`,
});

const usualCollections = '~/.ansible/collections:/usr/share/ansible/collections';

/** From now on only the runner may change the folder, and every user who knows its name may read it. */
async function keepForAll(folder: string): Promise<void> {
  await giveFolder(folder, null);
  await chmod(folder, 0o755);
}

/** Links the installed folders into the home of the run: a role has one folder, a collection one in its namespace's. */
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
  // An entry that exists already stays, so the nearest requirements file wins.
  for (const name of listInside(root, path)) {
    await link(join(root, path, name), join(to, name), user);
  }
}

/** Ansible searches our folders by default. If the user has set others, ours are put before them. */
function pathVariables({ roles, collections, home }: RequirementsOptions): Record<string, string> {
  const before = (kind: string, theirs: string): string =>
    `${join(home, '.ansible', kind)}:${theirs}`;
  return {
    ...(roles && { ANSIBLE_ROLES_PATH: before('roles', roles) }),
    ...(collections && { ANSIBLE_COLLECTIONS_PATH: before('collections', collections) }),
  };
}
