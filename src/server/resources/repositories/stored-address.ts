// Addresses of repositories in the data folder are stored relative to it, because the folder may move, and
// each server has its own. The API has whole addresses.

import { posix } from 'node:path';
import type { Config } from '../../config/config.ts';

/** A placeholder for the data folder, which is no valid beginning of an address. */
export const dataFolderMark = '<data>';

type DataDirConfig = Pick<Config, 'dataDir'>;

const fileScheme = 'file://';

export function toStored({ dataDir }: DataDirConfig, url: string): string {
  if (url.startsWith(fileScheme)) {
    const rest = pathBelow([encodeURI(dataDir), dataDir], url.slice(fileScheme.length));
    return rest === null ? url : fileScheme + dataFolderMark + rest;
  }
  const rest = pathBelow([dataDir], url);
  return rest === null ? url : dataFolderMark + rest;
}

export function fromStored({ dataDir }: DataDirConfig, stored: string): string {
  if (stored.startsWith(dataFolderMark)) return dataDir + stored.slice(dataFolderMark.length);
  if (!stored.startsWith(fileScheme + dataFolderMark)) return stored;
  const rest = stored.slice(fileScheme.length + dataFolderMark.length);
  return fileScheme + encodeURI(dataDir) + rest;
}

/** The path below one of the folders, with its slash; null if it is outside. */
function pathBelow(folders: string[], path: string): string | null {
  const folder = folders.find((one) => path.startsWith(`${one}/`));
  // `..` would resolve differently after a move.
  const leaves = folder !== undefined && !posix.normalize(path).startsWith(`${folder}/`);
  return folder === undefined || leaves ? null : path.slice(folder.length);
}

/** The beginning of an address in the JSON of a task. */
export const beginningInJson = (address: string): string =>
  `"git_url":${JSON.stringify(address).slice(0, -1)}`;

interface WithAddresses {
  repository: { git_url: string };
  inventoryRepository: { git_url: string } | null;
}

/** Converts each address of a snapshot. */
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
