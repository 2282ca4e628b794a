// Names what installed roles and collections depend on, so that kept ones are used only where an
// installation would give the same.

import { createHash, type Hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { listInside } from '../sandbox/inside.ts';
import type { ReadFile, Requirement } from '../sandbox/commands.ts';

interface RequirementSources extends Pick<ReadFile, 'text' | 'localSources'> {
  projectId: number;
  kind: Requirement;
  /** Changes with the program that installs, and with its settings. */
  galaxy: string;
  /** Changes with the sources inside the repository: the commit and the folder of the run. */
  version: string;
  /** The collections that are there already. */
  present: string[];
}

/**
 * All that the installed requirements of a file depend on:
 * - the project, because others may not have the keys of its sources;
 * - the kind and the text of the requirements;
 * - ansible-galaxy and its servers;
 * - of collections: those that are there, because ansible-galaxy leaves them out from 2.16 on;
 * - with local sources, in whatever form: the commit and the folder of the run, for included files and
 *   files of the checkout, and the state of files outside of it.
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
 * The names of the collections in the folders of a search path; relative ones begin at `from`. Folders
 * below a home folder are left out: while requirements are installed, it is that of the run and empty.
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
