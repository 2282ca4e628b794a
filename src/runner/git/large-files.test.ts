// Slow: git-lfs is started for each file that it fetches.
// Git LFS: with the real git-lfs, from a server of the test and from folders, and without git-lfs.

import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pointerTo, startGitHttp } from '../../../test/helpers/git-http.ts';
import { pathWithout } from '../../../test/helpers/path-without.ts';
import { fakePrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, git } from '../../../test/helpers/seed.ts';
import { login } from '../../../test/runner/given.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { prepareIsolation } from '../workspace/run-users.ts';
import { keepLargeFiles } from './kept-large-files.ts';
import { hasLargeFiles } from './large-files.ts';
import { mirrorsOf } from './mirror.ts';

const content = Buffer.from('the real content\n');
const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n';
const files = {
  '.gitattributes': attributes,
  'play.yml': 'cat files/app.bin; git status --short | cat\n',
  'files/app.bin': pointerTo(content),
};

/** The folder of a server with a repository `code.git`. */
async function served(more: Record<string, string> = {}): Promise<string> {
  const root = await folder();
  await repositoryIn(join(root, 'code.git'), { ...files, ...more });
  return root;
}

async function repositoryIn(path: string, texts: Record<string, string>): Promise<string> {
  await mkdir(path, { recursive: true });
  await git(path, 'init', '--quiet');
  // The git-lfs of this machine must not write pointers of its own.
  for (const name of ['clean', 'process']) await git(path, 'config', `filter.lfs.${name}`, '');
  await git(path, 'config', 'filter.lfs.required', 'false');
  return commitFiles(path, texts);
}

const withoutLfs = async () =>
  testRunner({ config: { path: await pathWithout('git-lfs', fakePrograms) } });

test('files in Git LFS are fetched with the key of the repository', async () => {
  const runner = await testRunner();
  const account = 'deploy:a password';
  const server = await startGitHttp({ root: await served(), account, largeFiles: [content] });
  const key = login('deploy', 'a password');
  const { status, log } = await runner.run({ repository: `${server.url}code.git`, key });
  expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
  expect(log).toContain('Git LFS: fetching files');
  expect(log).not.toContain('a password');
  const refused = await runner.run({ repository: `${server.url}code.git`, key: login('x', 'y') });
  expect(refused.status).toBe('error');
});

/** The runner's folder of what it keeps of Git LFS for its only repository. */
async function keptOf({ config }: TestRunner): Promise<string> {
  const [mirror = ''] = await readdir(mirrorsOf(config));
  return join(mirrorsOf(config), mirror, 'lfs', 'objects');
}

/** The hashes of what it keeps. */
const keptNames = async (place: string): Promise<string[]> =>
  (await readdir(place, { recursive: true })).map((path) => basename(path)).filter(isHash);

const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
const nameOf = (bytes: Buffer): string => /sha256:(\w+)/.exec(pointerTo(bytes))?.[1] ?? '';

test('a later run has its files while their server has none, and asks for new ones only', async () => {
  const runner = await testRunner();
  const root = await served();
  const largeFiles = [content];
  const server = await startGitHttp({ root, largeFiles });
  const repository = `${server.url}code.git`;
  expect((await runner.run({ repository })).status).toBe('success');
  largeFiles.pop();
  for (let run = 0; run < 2; run += 1) {
    const { status, log } = await runner.run({ repository });
    expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
  }
  const other = Buffer.from('newer content\n');
  await commitFiles(join(root, 'code.git'), { 'files/new.bin': pointerTo(other) });
  expect((await runner.run({ repository })).status).toBe('error');
  largeFiles.push(other);
  expect((await runner.run({ repository })).status).toBe('success');
  expect((await keptNames(await keptOf(runner))).toSorted()).toEqual(
    [nameOf(content), nameOf(other)].toSorted(),
  );
});

test('a search for large files that fails is an error, not the answer that there are none', async () => {
  const cwd = join(await served(), 'code.git');
  const at = { cwd, env: { PATH: process.env['PATH'] ?? '' }, user: null };
  expect(await hasLargeFiles(await git(cwd, 'rev-parse', 'HEAD'), at)).toBe(true);
  await expect(hasLargeFiles('0'.repeat(40), at)).rejects.toThrow('0000000');
});

test('what no run has used for a month is not kept', async () => {
  const runner = await testRunner();
  const server = await startGitHttp({ root: await served(), largeFiles: [content] });
  const repository = `${server.url}code.git`;
  await runner.run({ repository });
  const place = await keptOf(runner);
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  const [used, unused] = [nameOf(content), 'a'.repeat(64)].map((name) =>
    join(place, name.slice(0, 2), name.slice(2, 4), name),
  );
  await mkdir(dirname(String(unused)), { recursive: true });
  await writeFile(String(unused), 'x');
  for (const path of [used, unused]) await utimes(String(path), old, old);
  await runner.run({ repository });
  expect(await keptNames(place)).toEqual([nameOf(content)]);
});

test('a content is kept under its own hash only', async () => {
  const [checkout, mirror] = [await folder(), await folder()];
  const place = (name: string) =>
    join(checkout, '.git/lfs/objects', name.slice(0, 2), name.slice(2, 4));
  for (const name of [nameOf(content), 'b'.repeat(64)]) {
    await mkdir(place(name), { recursive: true });
    await writeFile(join(place(name), name), content);
  }
  await mkdir(place('c'.repeat(64)), { recursive: true });
  await symlink('/etc/hostname', join(place('c'.repeat(64)), 'c'.repeat(64)));
  await keepLargeFiles(checkout, mirror);
  const kept = await readdir(join(mirror, 'lfs'), { recursive: true, withFileTypes: true });
  expect(kept.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([
    nameOf(content),
  ]);
});

test('users of tasks read what is kept, and cannot change it', async () => {
  const runner = await testRunner({ config: { runAs: makeRunUsers(1) }, isWaiting: true });
  await prepareIsolation(runner.config);
  await runner.start();
  const largeFiles = [content];
  const play = `${files['play.yml']}find .git/lfs/objects -type f -exec sh -c 'echo x > "$1"' - {} \\;\n`;
  const root = await served({ 'play.yml': play });
  const server = await startGitHttp({ root, largeFiles });
  const repository = `${server.url}code.git`;
  expect((await runner.run({ repository })).status).toBe('success');
  largeFiles.pop();
  for (let run = 0; run < 2; run += 1) {
    const { status, log } = await runner.run({ repository });
    expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
  }
});

test('a file that the server does not have ends the task', async () => {
  const runner = await testRunner();
  const root = await served({ '.lfsconfig': '[lfs]\n\tskipdownloaderrors = true\n' });
  const server = await startGitHttp({ root, largeFiles: [] });
  const { status, log } = await runner.run({ repository: `${server.url}code.git` });
  expect([status, log]).toEqual([
    'error',
    expect.stringContaining('The files in Git LFS could not be fetched.'),
  ]);
  expect(log).not.toContain('Command:');
  expect(log).not.toContain('canary');
});

test('the password goes to no host that .lfsconfig names', async () => {
  const runner = await testRunner();
  const account = 'deploy:a password';
  const key = login('deploy', 'a password');
  const other = await startGitHttp({ root: await folder(), account, largeFiles: [content] });
  for (const name of ['[lfs]\n\turl', '[remote "ORIGIN"]\n\tlfsurl']) {
    const config = `${name} = ${other.url}code.git/info/lfs\n`;
    const root = await served({ '.lfsconfig': config });
    const server = await startGitHttp({ root, account, largeFiles: [content] });
    const { status, log } = await runner.run({ repository: `${server.url}code.git`, key });
    expect([status, log]).toEqual([
      'error',
      expect.stringContaining('the key of the repository has none for it'),
    ]);
  }
  expect(other.authorizations.length).toBeGreaterThan(0);
  expect(new Set(other.authorizations)).toEqual(new Set(['']));
  // A host that asks for no password may have the files.
  const open = await startGitHttp({ root: await folder(), largeFiles: [content] });
  const config = `[lfs]\n\turl = ${open.url}code.git/info/lfs\n`;
  const server = await startGitHttp({ root: await served({ '.lfsconfig': config }), account });
  const { status, log } = await runner.run({ repository: `${server.url}code.git`, key });
  expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
});

test('.lfsconfig leads to no folder, no program and no other file', async () => {
  const runner = await testRunner();
  const other = await folder();
  const addresses = [
    other,
    `file://${other}`,
    'ssh://-oProxyCommand=id/x',
    'ext::sh -c id',
    'https://a:b@example.com/x',
    'http://example.com/x',
    '--help',
    '',
  ];
  for (const url of addresses) {
    const path = join(await served({ '.lfsconfig': `[lfs]\n\turl = "${url}"\n` }), 'code.git');
    const { status, log } = await runner.run({ repository: path });
    const words = expect.stringContaining('names an address that is not allowed');
    expect([url, status, log]).toEqual([url, 'error', words]);
  }
  const path = join(await served({ 'other.cfg': '[lfs]\n\turl = /\n' }), 'code.git');
  await symlink('other.cfg', join(path, '.lfsconfig'));
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message', 'Link the settings');
  const linked = await runner.run({ repository: path });
  expect([linked.status, linked.log]).toEqual([
    'error',
    expect.stringContaining('The file .lfsconfig of the repository is not a file.'),
  ]);
});

test('a local repository and its submodules have their files too', async () => {
  const runner = await testRunner();
  const place = await folder();
  const inner = join(place, 'inner');
  const hash = await repositoryIn(inner, {
    ...files,
    '.gitattributes': `[attr]big filter=lfs\n*.bin big\n`,
  });
  const code = join(place, 'code');
  await repositoryIn(code, {
    'play.yml': 'cat roles/inner/files/app.bin\n',
    '.gitmodules': '[submodule "inner"]\n\tpath = roles/inner\n\turl = ../inner\n',
  });
  await git(code, 'update-index', '--add', '--cacheinfo', `160000,${hash},roles/inner`);
  await git(code, 'commit', '--quiet', '--message', 'Link');
  const name = pointerTo(content).match(/sha256:(\w+)/)?.[1] ?? '';
  const objects = `.git/lfs/objects/${name.slice(0, 2)}/${name.slice(2, 4)}`;
  await mkdir(join(inner, objects), { recursive: true });
  const missing = await runner.run({ repository: code });
  expect(missing.status).toBe('error');
  await writeFile(join(inner, objects, name), content);
  const { status, log } = await runner.run({ repository: code });
  expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
});

test('without git-lfs a pointer ends the task, with its name and what to install', async () => {
  const runner = await withoutLfs();
  const path = join(await served(), 'code.git');
  const { status, log } = await runner.run({ repository: path });
  expect(status).toBe('error');
  expect(log.split('\n').at(-1)).toBe(
    'The file "files/app.bin" is only a pointer to its content in Git LFS: install git-lfs on the ' +
      'server that runs this task (on Debian: the package git-lfs).',
  );
  // Attributes alone, and texts that only look like a pointer, need nothing.
  await commitFiles(path, { 'files/app.bin': 'small\n', 'notes.txt': pointerTo(content) });
  const plain = await runner.run({ repository: path });
  expect([plain.status, plain.log]).toEqual(['success', expect.stringContaining('small')]);
});

test('files stay pointers if the environment says so, as for git-lfs itself', async () => {
  const env = '{"GIT_LFS_SKIP_SMUDGE": "1"}';
  const repository = join(await served(), 'code.git');
  for (const runner of [await testRunner(), await withoutLfs()]) {
    const { status, log } = await runner.run({ repository, env });
    expect([status, log]).toEqual(['success', expect.stringContaining('oid sha256:')]);
    expect(log).toContain('Git LFS: files stay pointers, as GIT_LFS_SKIP_SMUDGE says');
  }
});
