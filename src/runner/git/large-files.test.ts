// Slow: git-lfs is started for each file that it fetches.
// Git LFS: with the real git-lfs, from a server of the test and from folders, and without git-lfs.

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pointerTo, startGitHttp } from '../../../test/helpers/git-http.ts';
import { pathWithout } from '../../../test/helpers/path-without.ts';
import { fakePrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, git } from '../../../test/helpers/seed.ts';
import { login } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

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
