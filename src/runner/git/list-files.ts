// Lists what a template could run of a commit, without a checkout: git itself lists the names and searches the
// contents, so that nothing of the repository is parsed or executed here.

import type { RepositoryFiles } from '#shared/api/repositories.ts';
import type { AppKind } from '#shared/apps.ts';
import { git, tryGit, type GitOptions } from './git.ts';

/** Longer lists do not help to choose. */
const MAX_PATHS = 5000;
const MAX_BYTES = 16 * 1024 * 1024;

interface Entry {
  path: string;
  /** Whether its content is not in this commit: a submodule or a symbolic link. */
  isOpaque: boolean;
}

export async function listFiles(
  hash: string,
  kind: AppKind,
  at: GitOptions,
): Promise<RepositoryFiles> {
  const limited = { ...at, outputLimit: MAX_BYTES };
  const printed = await git(['ls-tree', '-r', '-z', '--full-tree', hash], limited);
  const entries = printed.split('\0').flatMap(readEntry);
  const opaque = entries.filter(({ isOpaque }) => isOpaque).map(({ path }) => `${path}/`);
  const files = entries.filter(({ isOpaque }) => !isOpaque).map(({ path }) => path);
  const playbooks = await finders[kind](files, hash, limited);
  const chosen = new Set(playbooks);
  const all = kind === 'terraform' ? foldersOf(files) : files;
  const others = [...all.filter((path) => !chosen.has(path)), ...opaque];
  return {
    playbooks: playbooks.slice(0, MAX_PATHS),
    others: others.slice(0, Math.max(0, MAX_PATHS - playbooks.length)),
    complete: playbooks.length + others.length <= MAX_PATHS,
  };
}

const opaqueModes = ['120000', '160000'];

/** Parses `<mode> <type> <hash>\t<path>`. */
function readEntry(line: string): Entry[] {
  const tab = line.indexOf('\t');
  if (tab < 0) return [];
  return [{ path: line.slice(tab + 1), isOpaque: opaqueModes.includes(line.slice(0, 6)) }];
}

type Find = (files: string[], hash: string, at: GitOptions) => Promise<string[]>;

const byName =
  (name: RegExp): Find =>
  async (files) =>
    files.filter((path) => name.test(path) && !isHidden(path));

const terraformFiles = byName(/\.(?:tf|tofu)(?:\.json)?$/);

const finders: Record<AppKind, Find> = {
  ansible: findPlaybooks,
  terraform: async (...args) => foldersOf(await terraformFiles(...args), { isDirect: true }),
  python: byName(/\.py$/),
  script: byName(/\.(?:sh|bash|ps1|pl|rb|js)$/),
};

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

// A play begins with `- hosts: web`, or has `hosts` below its name; playbooks also consist of `import_playbook`.
// `hosts:` without a value is a group of an inventory.
const plays = [
  '^ {0,2}- +hosts *:',
  '^ {1,4}hosts *: *[^ #{]',
  '^ *(- +)?(ansible\\.builtin\\.)?import_playbook *:',
];

/** Folders of roles and variables, which have no playbooks. */
const ofRoles =
  /(?:^|\/)(?:roles\/[^/]+\/(?:tasks|handlers|vars|defaults|meta|templates|files)|group_vars|host_vars|collections|molecule)\//;

async function findPlaybooks(_: string[], hash: string, at: GitOptions): Promise<string[]> {
  const patterns = plays.flatMap((pattern) => ['-e', pattern]);
  const args = ['grep', '-l', '-z', '-E', '-I', ...patterns, hash, '--', '*.yml', '*.yaml'];
  const { exitCode, stdout, failure } = await tryGit(args, at);
  // 1: nothing found.
  if (failure !== null || (exitCode !== 0 && exitCode !== 1)) return [];
  return stdout
    .split('\0')
    .map((found) => found.slice(found.indexOf(':') + 1))
    .filter((path) => path !== '' && !ofRoles.test(path) && !isHidden(path));
}

/** The folders that contain these files, or only those that contain one directly; without the top. */
function foldersOf(files: string[], { isDirect = false } = {}): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    const parts = file.split('/').slice(0, -1);
    const from = isDirect ? parts.length : 1;
    for (let length = from; length <= parts.length; length += 1) {
      folders.add(parts.slice(0, length).join('/'));
    }
  }
  return [...folders].filter((path) => path !== '').sort();
}
