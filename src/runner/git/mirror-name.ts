// How the mirror of a repository is called.

import { createHash } from 'node:crypto';

/** The repository that a mirror belongs to. */
export interface Owner {
  repositoryId: number;
  url: string;
}

/** A part of a name for an address. */
export const mark = (url: string): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 12);

/** What the names of a repository's mirrors begin with: its own, and those of its submodules. */
export const mirrorName = ({ repositoryId, url }: Owner): string => `${repositoryId}-${mark(url)}`;
