// Finds the submodules of a commit and their addresses, which are then fetched like any repository. `git submodule`
// would follow addresses and settings in files.

import { join } from 'node:path';
import { trimEndOf } from '#shared/trim-end.ts';
import { isThere } from '../workspace/run-files.ts';
import { MAX_BYTES } from '../sandbox/inside.ts';
import { git, tryGit, type GitOptions } from './git.ts';

export interface Submodule {
  path: string;
  hash: string;
  /** The address in .gitmodules; null: none. */
  url: string | null;
}

export async function listSubmodules(checkout: string, at: GitOptions): Promise<Submodule[]> {
  if (!(await isThere(join(checkout, '.gitmodules')))) return [];
  const links = await listLinks(at);
  if (links.length === 0) return [];
  const settings = await readSettings(at);
  return links.flatMap(({ path, hash }) => {
    const setting = settings.get(path);
    return setting?.update === 'none' ? [] : [{ path, hash, url: setting?.url ?? null }];
  });
}

/** The paths of the submodules, whatever .gitmodules contains. */
export async function listSubmodulePaths(checkout: string, at: GitOptions): Promise<string[]> {
  if (!(await isThere(join(checkout, '.gitmodules')))) return [];
  return (await listLinks(at)).map(({ path }) => path);
}

async function listLinks(at: GitOptions): Promise<{ path: string; hash: string }[]> {
  const entries = (await git(['ls-files', '--stage', '-z'], at)).split('\0');
  return entries.flatMap((entry) => {
    const [, hash, path] = /^160000 ([0-9a-f]+) 0\t(.*)$/s.exec(entry) ?? [];
    return hash && path ? [{ hash, path }] : [];
  });
}

type Setting = Partial<Record<string, string>>;

/** The settings by path, read from the commit, because the file could be a link. */
async function readSettings(at: GitOptions): Promise<Map<string, Setting>> {
  const args = ['config', '--blob', 'HEAD:.gitmodules', '--no-includes', '--null'];
  const { exitCode, stdout } = await tryGit([...args, '--get-regexp', '^submodule\\.'], {
    ...at,
    outputLimit: MAX_BYTES,
  });
  if (exitCode !== 0) throw new Error('The file .gitmodules of the repository cannot be read.');
  const settings = new Map<string, Setting>();
  for (const entry of stdout.split('\0')) {
    // `submodule.NAME.KEY`, then the value on the next line.
    const [place = '', ...value] = entry.split('\n');
    const keyAt = place.lastIndexOf('.');
    if (keyAt < 0) continue;
    const name = place.slice(0, keyAt);
    const known = settings.get(name) ?? {};
    known[place.slice(keyAt + 1)] = value.join('\n');
    settings.set(name, known);
  }
  const all = [...settings.values()].toReversed();
  return new Map(all.map((setting) => [setting['path'] ?? '', setting]));
}

/** `url` may be relative to `base`, the address of the parent repository. */
export function resolveAddress(base: string, url: string): string {
  let parent = trimEndOf(base, '/');
  let rest = url;
  let separator = '/';
  while (/^\.\.?\//.test(rest)) {
    if (rest.startsWith('../')) {
      // In `host:code` the colon replaces a slash.
      separator = !parent.includes('/') && parent.includes(':') ? ':' : '/';
      parent = parent.slice(0, Math.max(0, parent.lastIndexOf(separator)));
    }
    rest = rest.slice(rest.indexOf('/') + 1);
  }
  return rest === url ? url : parent + separator + rest;
}
