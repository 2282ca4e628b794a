// The addresses of repositories in the data folder are stored relative to it, because the folder may
// move, and each of several servers has its own. Everybody else sees whole addresses. Pure functions.

import { posix } from 'node:path';
import type { Config } from '../../config/config.ts';

/** Stands for the data folder. No address begins like this, so nobody can enter it. */
export const dataFolderMark = '<data>';

type DataDirConfig = Pick<Config, 'dataDir'>;

const fileScheme = 'file://';

/** The address as it is stored. */
export function toStored({ dataDir }: DataDirConfig, url: string): string {
  if (url.startsWith(fileScheme)) {
    const rest = behind([encodeURI(dataDir), dataDir], url.slice(fileScheme.length));
    return rest === null ? url : fileScheme + dataFolderMark + rest;
  }
  const rest = behind([dataDir], url);
  return rest === null ? url : dataFolderMark + rest;
}

/** The address as everybody sees it. */
export function fromStored({ dataDir }: DataDirConfig, stored: string): string {
  if (stored.startsWith(dataFolderMark)) return dataDir + stored.slice(dataFolderMark.length);
  if (!stored.startsWith(fileScheme + dataFolderMark)) return stored;
  const rest = stored.slice(fileScheme.length + dataFolderMark.length);
  return fileScheme + encodeURI(dataDir) + rest;
}

/** The path behind one of the folders, with its slash; null: it does not lie in any of them. */
function behind(folders: string[], path: string): string | null {
  const folder = folders.find((one) => path.startsWith(`${one}/`));
  // A path that leads out of the folder again would name another place after a move.
  const leaves = folder !== undefined && !posix.normalize(path).startsWith(`${folder}/`);
  return folder === undefined || leaves ? null : path.slice(folder.length);
}

/** The beginning of an address as the JSON of a task has it. */
export const beginningInJson = (address: string): string =>
  `"git_url":${JSON.stringify(address).slice(0, -1)}`;

interface WithAddresses {
  repository: { git_url: string };
  inventoryRepository: { git_url: string } | null;
}

/** What a task runs, with each address converted. */
export function withAddresses<Snapshot extends WithAddresses>(
  snapshot: Snapshot,
  convert: (url: string) => string,
): Snapshot {
  const { repository, inventoryRepository: other } = snapshot;
  return {
    ...snapshot,
    repository: { ...repository, git_url: convert(repository.git_url) },
    inventoryRepository: other && { ...other, git_url: convert(other.git_url) },
  };
}
