// Finds the submodules of a commit and their addresses. They are then fetched like any repository.
// `git submodule` is not used, because it would follow addresses and settings in files.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { trimEndOf } from '#shared/trim-end.ts';
import { MAX_BYTES } from '../sandbox/inside.ts';
import { git, tryGit, type GitOptions } from './git.ts';

export interface Submodule {
  path: string;
  hash: string;
  /** The address in .gitmodules; null: it names none. */
  url: string | null;
}

/** The submodules of the commit in a checkout. Starts no program when there is no .gitmodules. */
export async function listSubmodules(checkout: string, at: GitOptions): Promise<Submodule[]> {
  if (!(await hasSettings(checkout))) return [];
  const links = await listLinks(at);
  if (links.length === 0) return [];
  const settings = await readSettings(at);
  return links.flatMap(({ path, hash }) => {
    const setting = settings.get(path);
    return setting?.update === 'none' ? [] : [{ path, hash, url: setting?.url ?? null }];
  });
}

/** The folders of the submodules, whatever .gitmodules says about them. */
export async function listSubmodulePaths(checkout: string, at: GitOptions): Promise<string[]> {
  if (!(await hasSettings(checkout))) return [];
  return (await listLinks(at)).map(({ path }) => path);
}

const hasSettings = (checkout: string): Promise<boolean> =>
  lstat(join(checkout, '.gitmodules')).then(
    () => true,
    () => false,
  );

async function listLinks(at: GitOptions): Promise<{ path: string; hash: string }[]> {
  const entries = (await git(['ls-files', '--stage', '-z'], at)).split('\0');
  return entries.flatMap((entry) => {
    const [, hash, path] = /^160000 ([0-9a-f]+) 0\t(.*)$/s.exec(entry) ?? [];
    return hash && path ? [{ hash, path }] : [];
  });
}

type Setting = Partial<Record<string, string>>;

/** The settings by path, read from the commit, because the file may be a link to anywhere. */
async function readSettings(at: GitOptions): Promise<Map<string, Setting>> {
  const args = ['config', '--blob', 'HEAD:.gitmodules', '--no-includes', '--null'];
  const { exitCode, stdout } = await tryGit([...args, '--get-regexp', '^submodule\\.'], {
    ...at,
    outputLimit: MAX_BYTES,
  });
  if (exitCode !== 0) throw new Error('The file .gitmodules of the repository cannot be read.');
  const settings = new Map<string, Setting>();
  for (const entry of stdout.split('\0')) {
    // `submodule.NAME.KEY`, and on the next line the value.
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

/** The address of a submodule; `url` may be relative to `base`, the address of its repository. */
export function resolveAddress(base: string, url: string): string {
  let parent = trimEndOf(base, '/');
  let rest = url;
  let separator = '/';
  while (/^\.\.?\//.test(rest)) {
    if (rest.startsWith('../')) {
      // In `host:code` the colon takes the place of a slash.
      separator = !parent.includes('/') && parent.includes(':') ? ':' : '/';
      parent = parent.slice(0, Math.max(0, parent.lastIndexOf(separator)));
    }
    rest = rest.slice(rest.indexOf('/') + 1);
  }
  return rest === url ? url : parent + separator + rest;
}
