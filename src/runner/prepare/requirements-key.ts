// Hashes what installed roles and collections depend on, so that cached ones are used only where an installation
// would give the same.

import { createHash, type Hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { listInside } from '../sandbox/inside.ts';
import type { ReadFile, Requirement } from '../sandbox/commands.ts';

interface RequirementSources extends Pick<ReadFile, 'text' | 'localSources'> {
  projectId: number;
  kind: Requirement;
  /** Changes with ansible-galaxy and its settings. */
  galaxy: string;
  /** Changes with sources inside the repository: the commit and the working folder. */
  version: string;
  /** The collections that are installed already. */
  present: string[];
}

/**
 * All that the installed requirements of a file depend on:
 * - the project, because others may not have the keys of its sources;
 * - the kind and the text of the requirements;
 * - ansible-galaxy and its servers;
 * - of collections: the present ones, because ansible-galaxy skips these from 2.16 on;
 * - with local sources: the commit and the working folder, for included files and files of the checkout, and the
 *   state of files outside of it.
 * Versions without a pin are those of the first run.
 */
export function keyOfRequirements(sources: RequirementSources): Hash {
  const { projectId, kind, text, galaxy, present, version, localSources } = sources;
  const found = kind === 'collection' ? present : [];
  const ofFiles = localSources ? [version, ...localSources] : [];
  const parts = [projectId, kind, text, galaxy, found, ofFiles];
  return createHash('sha256').update(JSON.stringify(parts));
}

/**
 * The names of the collections in the folders of a search path, in which relative paths begin at `from`. Folders
 * below `~` are skipped: during an installation, the home folder is that of the run and empty.
 */
export function collectionsIn(path: string, from: string): string[] {
  const folders = path.split(':').filter((folder) => folder !== '' && !/^[~$]/.test(folder));
  const names = folders.flatMap((folder) => {
    const root = join(resolve(from, folder), 'ansible_collections');
    const namespaces = listInside('/', root).filter((name) => !name.includes('.'));
    return namespaces.flatMap((namespace) =>
      listInside('/', join(root, namespace)).map((name) => `${namespace}.${name}`),
    );
  });
  return [...new Set(names)].sort();
}
