// Slow: each test makes several repositories and fetches all of them.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGitHttp } from '../../../test/helpers/git-http.ts';
import { commitFiles, folder, git } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { resolveAddress } from './submodules.ts';

/** Adds a submodule as anybody can write it: nothing of it is checked by git. */
async function link(path: string, submodule: { at: string; url: string; hash: string }) {
  const { at, url, hash } = submodule;
  const text = `[submodule "x${at}"]\n\tpath = ${at}\n\turl = "${url}"\n\tupdate = !touch hacked\n`;
  const before = await readFile(join(path, '.gitmodules'), 'utf8').catch(() => '');
  await writeFile(join(path, '.gitmodules'), before + text);
  await git(path, 'add', '.gitmodules');
  await git(path, 'update-index', '--add', '--cacheinfo', `160000,${hash},${at}`);
  await git(path, 'commit', '--quiet', '--message', `Link ${at}`);
}

async function repositoryIn(place: string, name: string, files: Record<string, string>) {
  const path = join(place, name);
  await mkdir(path, { recursive: true });
  await git(path, 'init', '--quiet');
  const hash = await commitFiles(path, files);
  return { path, hash };
}

test('checks out submodules, nested ones too, and fetches each commit of them once', async () => {
  const runner = await testRunner();
  const place = await folder();
  const inner = await repositoryIn(place, 'inner', { text: 'innermost\n' });
  const outer = await repositoryIn(place, 'team/outer', { text: 'between\n' });
  await link(outer.path, { at: 'deep/inner', url: '../../inner', hash: inner.hash });
  const hash = await git(outer.path, 'rev-parse', 'HEAD');
  // No branch leads to the commit any more.
  await git(outer.path, 'reset', '--quiet', '--hard', outer.hash);
  await git(outer.path, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const script =
    'cat roles/outer/text roles/outer/deep/inner/text; git status --short --ignore-submodules=all; ls -d hacked\n';
  const code = await repositoryIn(place, 'code', {
    'play.yml': `${script}cat roles/outer/.git/config\n`,
  });
  await link(code.path, { at: 'roles/outer', url: '../team/outer', hash });
  const run = () => runner.run({ repository: code.path });
  const { status, log } = await run();
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain(`Submodule "roles/outer": ${outer.path}`);
  expect(log).toMatch(/\nbetween\ninnermost\nls: cannot access 'hacked'.*\n\[core\]/);
  await rm(inner.path, { recursive: true });
  await rm(join(outer.path, '.git', 'objects'), { recursive: true });
  const refused = await run();
  // The folder of the inner one must still be there to be allowed; nothing is read from it.
  expect(refused.status).toBe('error');
  expect(refused.log).toContain(`The folder ${inner.path} does not exist`);
  await mkdir(inner.path);
  const third = await run();
  expect([third.status, third.log]).toEqual(['success', third.log]);
  expect(third.log).toContain('\nbetween\ninnermost\n');
});

test('a repository without its submodules needs none of them, and the log names them', async () => {
  const runner = await testRunner();
  const place = await folder();
  const script = 'ls -A roles/gone | wc -l; cat play.yml | wc -l\n';
  const code = await repositoryIn(place, 'code', { 'play.yml': script });
  const gone = { url: 'https://127.0.0.1:9/gone.git', hash: code.hash };
  await link(code.path, { at: 'roles/gone', ...gone });
  for (let number = 1; number <= 10; number += 1) {
    await link(code.path, { at: `roles/other-${String(number).padStart(2, '0')}`, ...gone });
  }
  const given = { repository: code.path };
  expect((await runner.run(given)).status).toBe('error');
  const { status, log } = await runner.run({ ...given, withSubmodules: false });
  expect([status, log]).toEqual(['success', expect.stringMatching(/^0\n1$/m)]);
  expect(log).toContain(
    'Submodules stay empty, as the settings of the repository say: "roles/gone", "roles/other-01"',
  );
  expect(log).toContain('"roles/other-09" and 1 more');
});

test('a submodule leads neither to a program nor out of the allowed folders', async () => {
  const place = await folder();
  const outside = await folder();
  const runner = await testRunner({ config: { localRepositories: [place] } });
  const canary = join(outside, 'canary');
  const secret = await repositoryIn(outside, 'secret', { text: 'leaked\n' });
  const cases: [at: string, url: string, words: string][] = [
    ['a', `ext::sh -c 'touch ${canary}'`, 'an address that is not allowed'],
    ['a', `--upload-pack=touch ${canary}`, 'an address that is not allowed'],
    ['a', '-u./x', 'an address that is not allowed'],
    ['a', 'ssh://-oProxyCommand=id/x', 'an address that is not allowed'],
    ['a', 'https://someone:word@example.com/x', 'an address that is not allowed'],
    ['a', '', 'an address that is not allowed'],
    ['-a', secret.path, 'a path that is not allowed'],
    ['a', secret.path, 'is outside the folder'],
    ['a', `file://${secret.path}`, 'is outside the folder'],
    ['a', `file://${place}/%2e%2e/${secret.path}`, 'is outside the folder'],
    ['a', `../../..${secret.path}`, 'is outside the folder'],
  ];
  for (const [index, [at, url, words]] of cases.entries()) {
    const code = await repositoryIn(place, `code-${index}`, { 'play.yml': 'cat */text\n' });
    await link(code.path, { at, url, hash: secret.hash });
    const { status, log } = await runner.run({ repository: code.path });
    expect([url, status, log]).toEqual([url, 'error', expect.stringContaining(words)]);
    expect(log).not.toContain('leaked');
  }
  expect(await readdir(outside)).toEqual(['secret']);
});

test('a local submodule lies in the same allowed folder as its repository', async () => {
  const roots = [await folder(), await folder()];
  const [place = '', foreign = ''] = roots;
  const runner = await testRunner({ config: { localRepositories: roots } });
  const other = await repositoryIn(foreign, 'other', { text: 'leaked\n' });
  const run = async (name: string, url: string, hash: string) => {
    const code = await repositoryIn(place, name, { 'play.yml': 'cat */text\n' });
    await link(code.path, { at: 'a', url, hash });
    const { status, log } = await runner.run({ repository: code.path });
    return [status, log];
  };
  const words = expect.stringContaining('outside the folder for local repositories that');
  expect(await run('one', other.path, other.hash)).toEqual(['error', words]);
  expect(await run('two', `file://${other.path}`, other.hash)).toEqual(['error', words]);
  const own = await repositoryIn(place, 'own', { text: 'own text\n' });
  const found = expect.stringContaining('own text');
  expect(await run('three', `file://${own.path}`, own.hash)).toEqual(['success', found]);
});

test('a repository of another server names no folder of this one', async () => {
  const place = await folder();
  const runner = await testRunner({ config: { localRepositories: [place] } });
  const secret = await repositoryIn(place, 'secret', { text: 'leaked\n' });
  const { url: server } = await startGitHttp({ root: place });
  const up = '../'.repeat(8);
  for (const [index, url] of [secret.path, `file://${secret.path}`, up + secret.path].entries()) {
    const code = await repositoryIn(place, `code-${index}.git`, { 'play.yml': 'cat */text\n' });
    await link(code.path, { at: 'a', url, hash: secret.hash });
    const { status, log } = await runner.run({ repository: `${server}code-${index}.git` });
    const words = 'names a folder of the server, as only a local repository may.';
    expect([url, status, log]).toEqual([url, 'error', expect.stringContaining(words)]);
  }
});

test('a link without an address stays empty, and a file that is no configuration is refused', async () => {
  const runner = await testRunner();
  const place = await folder();
  const code = await repositoryIn(place, 'code', { 'play.yml': 'ls -A gone | wc -l\n' });
  await git(code.path, 'update-index', '--add', '--cacheinfo', `160000,${code.hash},gone`);
  await commitWith(code.path, '[submodule "other"]\n\tpath = other\n');
  const { status, log } = await runner.run({ repository: code.path });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toMatch(/Submodule "gone": .gitmodules names no address[^]*\n0$/m);
  await commitWith(code.path, '[[\n');
  const broken = await runner.run({ repository: code.path });
  expect(broken.status).toBe('error');
  expect(broken.log).toContain('.gitmodules of the repository cannot be read');
});

async function commitWith(path: string, gitmodules: string): Promise<void> {
  await writeFile(join(path, '.gitmodules'), gitmodules);
  await git(path, 'add', '.gitmodules');
  await git(path, 'commit', '--quiet', '--message', 'Change .gitmodules');
}

test.each([
  ['https://example.com/team/code.git', '../roles.git', 'https://example.com/team/roles.git'],
  ['https://example.com/team/code/', '../../other/roles', 'https://example.com/other/roles'],
  ['git@example.com:team/code.git', '../roles.git', 'git@example.com:team/roles.git'],
  ['git@example.com:code.git', '../roles.git', 'git@example.com:roles.git'],
  ['/srv/git/code', './roles', '/srv/git/code/roles'],
  ['/srv/git/code', 'https://example.com/x', 'https://example.com/x'],
  ['/srv', '../../../etc', '/etc'],
])('from %s, %s leads to %s', (base, url, address) => {
  expect(resolveAddress(base, url)).toBe(address);
});
