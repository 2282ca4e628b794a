// Reads the versions of roles, collections and packages in folders that a run has installed. The content of the
// folders is untrusted: only names and short texts are read, and what cannot be read is left out.

import { join } from 'node:path';
import type { TaskTools } from '#shared/api/task-changes.ts';
import { identityOf } from './caches.ts';
import { readFiles, type CheckoutAccess, type WantedFile } from '../sandbox/sandbox.ts';
import { listInside } from '../sandbox/inside.ts';
import type { Requirement as GalaxyKind } from '../sandbox/commands.ts';

type Requirement = TaskTools['requirements'][number];

export interface InstalledFolder {
  kind: GalaxyKind | 'package';
  path: string;
}

/** How many requirements a task records at most. */
const MAX_REQUIREMENTS = 500;
const MAX_FILES = 200;
const MAX_CACHED = 200;

const name = /^[\w.@/-]{1,200}$/;
const version = /^[\w.+:~!@/-]{1,100}$/;

// By the identity of the folder, which changes when it is installed again. Only the runner writes to it.
const known = new Map<string, Requirement[]>();

type Access = Pick<CheckoutAccess, 'user' | 'signal'>;

export async function listInstalled(
  folders: InstalledFolder[],
  access: Access,
): Promise<Requirement[]> {
  const found: Requirement[] = [];
  for (const folder of folders) found.push(...(await listOnce(folder, access)));
  return found
    .filter((one) => name.test(one.name) && version.test(one.version))
    .slice(0, MAX_REQUIREMENTS);
}

async function listOnce(folder: InstalledFolder, access: Access): Promise<Requirement[]> {
  const key = await identityOf(folder.path);
  const kept = known.get(key);
  if (kept) return kept;
  const found =
    folder.kind === 'package' ? listPackages(folder.path) : await listGalaxy(folder, access);
  if (known.size >= MAX_CACHED) known.clear();
  known.set(key, found);
  return found;
}

/** The packages of a virtual environment, by the names of their dist-info folders. */
function listPackages(root: string): Requirement[] {
  const pythons = listInside(root, 'lib').filter((entry) => entry.startsWith('python'));
  return pythons
    .flatMap((python) => listInside(root, join('lib', python, 'site-packages')))
    .flatMap((entry) => {
      const [, found, at] = /^([^-]+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
      return found && at ? [{ kind: 'package' as const, name: found, version: at }] : [];
    });
}

async function listGalaxy(
  { kind, path: root }: InstalledFolder,
  access: Access,
): Promise<Requirement[]> {
  const isRole = kind === 'role';
  const described = (isRole ? rolesIn(root) : collectionsIn(root)).slice(0, MAX_FILES);
  const wanted = described.map(({ path }): WantedFile => ({ root, path, as: 'text' }));
  const files = await readFiles(wanted, { ...access, say: () => Promise.resolve() });
  return described.flatMap(({ name: found }, index) => {
    const at = (isRole ? ofRole : ofCollection).exec(files[index]?.text ?? '')?.[1];
    return at ? [{ kind: isRole ? 'role' : 'collection', name: found, version: at }] : [];
  });
}

// `ansible-galaxy` writes these files; the version of a collection is the first one in its manifest.
const ofRole = /^version: *['"]?([^\s'"]{1,100})/m;
const ofCollection = /"version": *"([^"]{1,100})"/;

/** A requirement by name, with the path of the file that has its version. */
interface Described {
  name: string;
  path: string;
}

const rolesIn = (root: string): Described[] =>
  listInside(root, '').map((role) => ({
    name: role,
    path: join(role, 'meta/.galaxy_install_info'),
  }));

const collectionsIn = (root: string): Described[] =>
  listInside(root, 'ansible_collections')
    .filter((entry) => !entry.includes('.'))
    .flatMap((namespace) => {
      const folder = join('ansible_collections', namespace);
      return listInside(root, folder).map((collection) => ({
        name: `${namespace}.${collection}`,
        path: join(folder, collection, 'MANIFEST.json'),
      }));
    });
