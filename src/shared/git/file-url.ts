// The addresses of files and commits at git hosts.

import { readStatusPlace, type StatusHost } from './repository-url.ts';

type Software = StatusHost | 'bitbucket';

/** The formats of addresses of a git host. */
interface UrlTemplates {
  file: (hash: string) => string;
  line: (line: number) => string;
  commit: (hash: string) => string;
}

const templatesOf: Record<Software, UrlTemplates> = {
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

export interface FilePlace {
  hash: string;
  path: string;
  line: number | null;
}

/** The address of a file at the git host; null: unknown host. `configured`: the repository's setting, else by the host name. */
export function fileUrl(
  repository: string,
  configured: StatusHost | '',
  { hash, path, line }: FilePlace,
): string | null {
  const site = siteOf(repository, configured);
  if (!site) return null;
  const address = site.at([...site.ways.file(hash).split('/'), ...path.split('/')]);
  return line === null ? address : address + site.ways.line(line);
}

/** The address of a commit at the git host; null: unknown host. */
export function commitUrl(
  repository: string,
  configured: StatusHost | '',
  hash: string,
): string | null {
  const site = siteOf(repository, configured);
  return site && site.at(site.ways.commit(hash).split('/'));
}

interface Site {
  ways: UrlTemplates;
  /** The address of a path below the page of the repository. */
  at: (steps: string[]) => string;
}

function siteOf(repository: string, configured: StatusHost | ''): Site | null {
  const place = readStatusPlace(repository);
  if (!place) return null;
  const hostname = place.origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  const software =
    configured === '' ? names.find(([name]) => name.test(hostname))?.[1] : configured;
  if (!software) return null;
  const at = (steps: string[]): string =>
    `${place.origin}/${[...place.path, ...steps].map(encodeURIComponent).join('/')}`;
  return { ways: templatesOf[software], at };
}
