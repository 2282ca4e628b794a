import { createHash } from 'node:crypto';

/** The repository that a mirror belongs to. */
export interface Owner {
  repositoryId: number;
  url: string;
}

/** A short hash of the address. */
export const mark = (url: string): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 12);

/** The prefix of the names of a repository's mirrors: its own, and those of its submodules. */
export const mirrorName = ({ repositoryId, url }: Owner): string => `${repositoryId}-${mark(url)}`;

/** The prefix of a mirror's name that identifies its repository. */
export const ownerOf = (name: string): string => name.split(/[-.]/).slice(0, 2).join('-');
