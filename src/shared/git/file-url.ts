// The addresses at which hosts of repositories show files and commits.

import { readStatusPlace, type StatusHost } from './repository-url.ts';

type Software = StatusHost | 'bitbucket';

/** How a software names things in its addresses. */
interface UrlTemplates {
  /** The folder of the files of a commit. */
  file: (hash: string) => string;
  line: (line: number) => string;
  commit: (hash: string) => string;
}

const wayTo: Record<Software, UrlTemplates> = {
  github: {
    file: (hash) => `blob/${hash}`,
    line: (line) => `#L${line}`,
    commit: (hash) => `commit/${hash}`,
  },
  gitlab: {
    file: (hash) => `-/blob/${hash}`,
    line: (line) => `#L${line}`,
    commit: (hash) => `-/commit/${hash}`,
  },
  gitea: {
    file: (hash) => `src/commit/${hash}`,
    line: (line) => `#L${line}`,
    commit: (hash) => `commit/${hash}`,
  },
  bitbucket: {
    file: (hash) => `src/${hash}`,
    line: (line) => `#lines-${line}`,
    commit: (hash) => `commits/${hash}`,
  },
};

const names: [RegExp, Software][] = [
  [/(?:^|\.)github\./, 'github'],
  [/(?:^|\.)gitlab\./, 'gitlab'],
  [/(?:^|\.)(?:gitea|forgejo|codeberg)\./, 'gitea'],
  [/(?:^|\.)bitbucket\./, 'bitbucket'],
];

/** A file of a commit, and a line of it. */
export interface FilePlace {
  hash: string;
  path: string;
  line: number | null;
}

/**
 * The address of a page that shows the file. Null: the software at the host of the repository is not
 * known. `told` is what the repository says of it; else the name of the host tells.
 */
export function fileUrl(
  repository: string,
  told: StatusHost | '',
  { hash, path, line }: FilePlace,
): string | null {
  const site = siteOf(repository, told);
  if (!site) return null;
  const address = site.at([...site.ways.file(hash).split('/'), ...path.split('/')]);
  return line === null ? address : address + site.ways.line(line);
}

/** The address of a page that shows the commit; null: see `fileUrl`. */
export function commitUrl(repository: string, told: StatusHost | '', hash: string): string | null {
  const site = siteOf(repository, told);
  return site && site.at(site.ways.commit(hash).split('/'));
}

interface Site {
  ways: UrlTemplates;
  /** The address of these steps below the page of the repository. */
  at: (steps: string[]) => string;
}

function siteOf(repository: string, told: StatusHost | ''): Site | null {
  const place = readStatusPlace(repository);
  if (!place) return null;
  const hostname = place.origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  const software = told === '' ? names.find(([name]) => name.test(hostname))?.[1] : told;
  if (!software) return null;
  const at = (steps: string[]): string =>
    `${place.origin}/${[...place.path, ...steps].map(encodeURIComponent).join('/')}`;
  return { ways: wayTo[software], at };
}
