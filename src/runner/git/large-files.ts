// Fetches the files of a commit from Git LFS. The commit itself has pointers, short texts with the hashes of the
// contents. git-lfs gets its settings as arguments. The repository's .lfsconfig may only set the address, which is
// validated here, and no password is sent to another host than the repository's.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasPassword, repositoryType } from '#shared/git/repository-url.ts';
import { trimEndOf } from '#shared/trim-end.ts';
import { isInstalled } from '../../node/process/installed-programs.ts';
import { MAX_BYTES } from '../sandbox/inside.ts';
import { explaining, noLoginWords } from './failure.ts';
import { GitError, tryGit, type GitOptions } from './git.ts';
import { keepLargeFiles } from './kept-large-files.ts';
import { gitIn, type FetchOptions } from './mirror.ts';
import { withSshErrors } from './ssh-errors.ts';

const attributes = ':(glob)**/.gitattributes';

/** Whether a commit uses Git LFS; `at` is a repository that has the commit. */
export async function hasLargeFiles(hash: string, at: GitOptions): Promise<boolean> {
  const args = ['grep', '--quiet', '--fixed-strings', '-e', 'filter=lfs', hash, '--', attributes];
  const { exitCode, stderr, failure } = await tryGit(args, at);
  // The result is cached, so a search that failed or was stopped must not count as none found.
  if (exitCode !== 0 && exitCode !== 1) throw new GitError(failure ?? stderr);
  return exitCode === 0;
}

/** Replaces the pointers of a commit by their files. Throws if there are pointers but no git-lfs. */
export async function fetchLargeFiles(
  checkout: string,
  { url, mirror }: { url: string; mirror: string },
  options: FetchOptions,
): Promise<void> {
  const at = gitIn(checkout, options);
  if (options.pointersOnly) {
    await options.say?.('Git LFS: files stay pointers, as GIT_LFS_SKIP_SMUDGE says');
    return;
  }
  if (!isInstalled(options.config, 'git-lfs')) return refusePointers(at);
  const named = await namedAddress(checkout, url, at);
  const settings = {
    ...own,
    'remote.origin.url': url,
    'lfs.url': named ?? usualAddress(url),
  };
  await options.say?.(`Git LFS: fetching files${named === null ? '' : ` from ${named}`}`);
  const args = Object.entries(settings).flatMap(([name, value]) =>
    value === null ? [] : ['-c', `${name}=${value}`],
  );
  const pull = (more: Record<string, string>) =>
    tryGit([...args, 'lfs', 'pull'], { ...at, env: { ...at.env, ...more } });
  const { result, errors } = await withSshErrors(options.workspace, pull);
  options.signal?.throwIfAborted();
  if (result.exitCode === 0) return keepLargeFiles(checkout, mirror);
  const words = result.failure ?? failureWords(result.stderr, errors);
  await explaining(() => Promise.reject(new GitError(words)));
}

/** The filter that git-lfs expects in the user's configuration, and settings that .lfsconfig must not change. */
const own = {
  'filter.lfs.clean': 'git-lfs clean -- %f',
  'filter.lfs.smudge': 'git-lfs smudge -- %f',
  'filter.lfs.process': 'git-lfs filter-process',
  'filter.lfs.required': 'true',
  'lfs.skipdownloaderrors': 'false',
};

const firstLine = '^version https://git-lfs.github.com/spec/v1$';

async function refusePointers(at: GitOptions): Promise<void> {
  const args = ['grep', '--cached', '--files-with-matches', '--null', '-e', firstLine];
  const { exitCode, stdout, stderr } = await tryGit([...args, '--', ':(attr:filter=lfs)'], at);
  if (exitCode === 1) return;
  if (exitCode !== 0) throw new GitError(stderr);
  const [path = ''] = stdout.split('\0');
  throw new Error(
    `The file ${JSON.stringify(path)} is only a pointer to its content in Git LFS: install git-lfs ` +
      'on the server that runs this task (on Debian: the package git-lfs).',
  );
}

/** The address of the files in the repository's .lfsconfig; null: none. */
async function namedAddress(checkout: string, url: string, at: GitOptions): Promise<string | null> {
  const file = join(checkout, '.lfsconfig');
  const stat = await lstat(file).catch(() => null);
  if (stat === null) return null;
  // git-lfs would follow a link to other settings.
  if (!stat.isFile()) throw new Error('The file .lfsconfig of the repository is not a file.');
  const args = ['config', '--file', file, '--no-includes', '--null', '--list'];
  const { exitCode, stdout } = await tryGit(args, { ...at, outputLimit: MAX_BYTES });
  if (exitCode !== 0) throw new Error('The file .lfsconfig of the repository cannot be read.');
  const found = new Map(
    stdout.split('\0').map((entry): [string, string] => {
      const [name = '', ...value] = entry.split('\n');
      // git-lfs ignores case, even where git does not.
      return [name.toLowerCase(), value.join('\n')];
    }),
  );
  const address = found.get('lfs.url') ?? found.get('remote.origin.lfsurl') ?? null;
  if (address === null || isAllowed(address, url)) return address;
  throw new Error(
    'The file .lfsconfig of the repository names an address that is not allowed: only https is.',
  );
}

/** Unencrypted only if the address of the repository is. */
function isAllowed(address: string, url: string): boolean {
  if (hasPassword(address)) return false;
  const type = repositoryType(address);
  return type === 'https' || (type === 'http' && repositoryType(url) === 'http');
}

/** The default Git LFS address of a repository; null: git-lfs requests it by ssh. */
function usualAddress(url: string): string | null {
  switch (repositoryType(url)) {
    case 'http':
    case 'https': {
      const base = trimEndOf(url, '/');
      return `${base.endsWith('.git') ? base : `${base}.git`}/info/lfs`;
    }
    case 'local':
    case 'file':
      return url;
    default:
      return null;
  }
}

// Network errors of git-lfs. Responses of the server are not shown, since people who can only set an address must
// not read them.
const ofProxy = ['proxyconnect ', 'Proxy Authentication'];
const ofServer = ['dial tcp', 'lookup ', 'tls: ', 'x509: ', 'context deadline', 'connection re'];
const ofNetwork = [...ofProxy, ...ofServer];
const ofLogin = ['Git credentials for', 'Authorization error', 'Authentication required'];

function failureWords(stderr: string, ofSsh: string): string {
  const lines = stderr.split(/[\r\n]/);
  const causes = lines.flatMap((line) => {
    const begin = ofNetwork.find((words) => line.includes(words));
    return begin === undefined ? [] : [line.slice(line.indexOf(begin))];
  });
  const isLogin = lines.some((line) => ofLogin.some((words) => line.includes(words)));
  const reasons = isLogin ? [noLoginWords] : [...causes.slice(0, 1), ...(ofSsh ? [ofSsh] : [])];
  return ['The files in Git LFS could not be fetched.', ...reasons].join('\n');
}
