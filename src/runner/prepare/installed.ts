// Reads which versions of roles, collections and packages lie in folders that a run has installed.
// Others have written these folders: only names and short texts are taken from them, and what cannot
// be read is left out.

import { join } from 'node:path';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { identityOf } from './caches.ts';
import { readFiles, type CheckoutAccess, type WantedFile } from '../sandbox/sandbox.ts';
import { listInside } from '../sandbox/inside.ts';
import type { Requirement as GalaxyKind } from '../sandbox/commands.ts';

type Requirement = TaskTools['requirements'][number];

/** A folder with all installed requirements of a kind. */
export interface InstalledFolder {
  kind: GalaxyKind | 'package';
  path: string;
}

/** The most requirements that a task records. */
const MAX_REQUIREMENTS = 500;
const MAX_FILES = 200;
const MAX_CACHED = 200;

const name = /^[\w.@/-]{1,200}$/;
const version = /^[\w.+:~!@/-]{1,100}$/;

// By the identity of the folder, which is a new one when it is installed again. Nobody else writes to it.
const knownRequirementsOf = stateOf((_config: RunnerConfig) => new Map<string, Requirement[]>());

type Access = Pick<CheckoutAccess, 'user' | 'signal'>;

export async function listInstalled(
  config: RunnerConfig,
  folders: InstalledFolder[],
  access: Access,
): Promise<Requirement[]> {
  const found: Requirement[] = [];
  for (const folder of folders) found.push(...(await listOnce(config, folder, access)));
  return found
    .filter((one) => name.test(one.name) && version.test(one.version))
    .slice(0, MAX_REQUIREMENTS);
}

async function listOnce(
  config: RunnerConfig,
  folder: InstalledFolder,
  access: Access,
): Promise<Requirement[]> {
  const known = knownRequirementsOf(config);
  const key = await identityOf(folder.path);
  const kept = known.get(key);
  if (kept) return kept;
  const found =
    folder.kind === 'package' ? listPackages(folder.path) : await listGalaxy(folder, access);
  if (known.size >= MAX_CACHED) known.clear();
  known.set(key, found);
  return found;
}

/** The packages of a virtual environment, by the names of the folders that describe them. */
function listPackages(root: string): Requirement[] {
  const pythons = listInside(root, 'lib').filter((entry) => entry.startsWith('python'));
  return pythons
    .flatMap((python) => listInside(root, join('lib', python, 'site-packages')))
    .flatMap((entry) => {
      const [, found, at] = /^([^-]+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
      return found && at ? [{ kind: 'package' as const, name: found, version: at }] : [];
    });
}

interface Described {
  name: string;
  file: WantedFile;
}

async function listGalaxy(
  { kind, path: root }: InstalledFolder,
  access: Access,
): Promise<Requirement[]> {
  const described = (kind === 'role' ? rolesIn(root) : collectionsIn(root)).slice(0, MAX_FILES);
  const quietly = { ...access, say: () => Promise.resolve() };
  const wanted = described.map(({ file }) => file);
  const files = await readFiles(wanted, quietly);
  return described.flatMap(({ name: found }, index) => {
    const text = files[index]?.text ?? '';
    const at = (kind === 'role' ? ofRole : ofCollection).exec(text)?.[1];
    return at
      ? [{ kind: kind === 'role' ? kind : ('collection' as const), name: found, version: at }]
      : [];
  });
}

// `ansible-galaxy` writes these files; the version of a collection is the first one in its manifest.
const ofRole = /^version: *['"]?([^\s'"]{1,100})/m;
const ofCollection = /"version": *"([^"]{1,100})"/;

const textIn = (root: string, path: string): WantedFile => ({ root, path, as: 'text' });

const rolesIn = (root: string): Described[] =>
  listInside(root, '').map((role) => ({
    name: role,
    file: textIn(root, join(role, 'meta/.galaxy_install_info')),
  }));

const collectionsIn = (root: string): Described[] =>
  listInside(root, 'ansible_collections')
    .filter((entry) => !entry.includes('.'))
    .flatMap((namespace) => {
      const path = join('ansible_collections', namespace);
      return listInside(root, path).map((collection) => ({
        name: `${namespace}.${collection}`,
        file: textIn(root, join(path, collection, 'MANIFEST.json')),
      }));
    });
