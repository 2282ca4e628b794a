import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { testApp, type TestApp } from '../helpers/app.ts';
import { startGitHttp } from '../helpers/git-http.ts';
import { commitFiles, folder, git, seedProject, type Seed } from '../helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../helpers/tasks.ts';
import { resolveAddress } from '../../src/runner/git/submodules.ts';

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

async function templateOf(app: TestApp, seed: Seed, git_url: string): Promise<number> {
  const repository = await app.admin.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: { name: git_url, git_url, git_branch: 'main', ssh_key_id: seed.keyId },
  });
  const template = await seed.template({ repository_id: repository.id });
  return template.id;
}

test('checks out submodules, nested ones too, and fetches each commit of them once', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, null);
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
  const template_id = await templateOf(app, seed, code.path);
  const first = await launch(app.admin, seed.projectId, { template_id });
  await untilStatus(app.admin, first, 'success');
  const log = await logText(app.admin, first);
  expect(log).toContain(`Submodule "roles/outer": ${outer.path}`);
  expect(log).toMatch(/\nbetween\ninnermost\nls: cannot access 'hacked'.*\n\[core\]/);
  await rm(inner.path, { recursive: true });
  await rm(join(outer.path, '.git', 'objects'), { recursive: true });
  const second = await launch(app.admin, seed.projectId, { template_id });
  const refused = await untilFinished(app.admin, second);
  const again = await logText(app.admin, second);
  // The folder of the inner one must still be there to be allowed; nothing is read from it.
  expect(refused.status).toBe('error');
  expect(again).toContain(`The folder ${inner.path} does not exist`);
  await mkdir(inner.path);
  const third = await launch(app.admin, seed.projectId, { template_id });
  await untilStatus(app.admin, third, 'success');
  expect(await logText(app.admin, third)).toContain('\nbetween\ninnermost\n');
});

test('a submodule leads neither to a program nor out of the allowed folders', async () => {
  const place = await folder();
  const outside = await folder();
  const app = await testApp({ runner: true, config: { localRepositories: [place] } });
  const seed = await seedProject(app.admin, null);
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
    const template_id = await templateOf(app, seed, code.path);
    const task = await launch(app.admin, seed.projectId, { template_id });
    const { status } = await untilFinished(app.admin, task);
    const log = await logText(app.admin, task);
    expect([url, status, log]).toEqual([url, 'error', expect.stringContaining(words)]);
    expect(log).not.toContain('leaked');
  }
  expect(await readdir(outside)).toEqual(['secret']);
});

test('a local submodule lies in the same allowed folder as its repository', async () => {
  const roots = [await folder(), await folder()];
  const [place = '', foreign = ''] = roots;
  const app = await testApp({ runner: true, config: { localRepositories: roots } });
  const seed = await seedProject(app.admin, null);
  const other = await repositoryIn(foreign, 'other', { text: 'leaked\n' });
  const run = async (name: string, url: string, hash: string) => {
    const code = await repositoryIn(place, name, { 'play.yml': 'cat */text\n' });
    await link(code.path, { at: 'a', url, hash });
    const task = await launch(app.admin, seed.projectId, {
      template_id: await templateOf(app, seed, code.path),
    });
    const { status } = await untilFinished(app.admin, task);
    return [status, await logText(app.admin, task)];
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
  const app = await testApp({
    runner: true,
    config: { localRepositories: [place], httpRepositories: true },
  });
  const seed = await seedProject(app.admin, null);
  const secret = await repositoryIn(place, 'secret', { text: 'leaked\n' });
  const { url: server } = await startGitHttp({ root: place });
  const up = '../'.repeat(8);
  for (const [index, url] of [secret.path, `file://${secret.path}`, up + secret.path].entries()) {
    const code = await repositoryIn(place, `code-${index}.git`, { 'play.yml': 'cat */text\n' });
    await link(code.path, { at: 'a', url, hash: secret.hash });
    const task = await launch(app.admin, seed.projectId, {
      template_id: await templateOf(app, seed, `${server}code-${index}.git`),
    });
    const { status } = await untilFinished(app.admin, task);
    const words = 'names a folder of the server, as only a local repository may.';
    const log = await logText(app.admin, task);
    expect([url, status, log]).toEqual([url, 'error', expect.stringContaining(words)]);
  }
});

test('a link without an address stays empty, and a file that is no configuration is refused', async () => {
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, null);
  const place = await folder();
  const code = await repositoryIn(place, 'code', { 'play.yml': 'ls -A gone | wc -l\n' });
  await git(code.path, 'update-index', '--add', '--cacheinfo', `160000,${code.hash},gone`);
  await commitWith(code.path, '[submodule "other"]\n\tpath = other\n');
  const template_id = await templateOf(app, seed, code.path);
  const task = await launch(app.admin, seed.projectId, { template_id });
  await untilStatus(app.admin, task, 'success');
  expect(await logText(app.admin, task)).toMatch(
    /Submodule "gone": .gitmodules names no address[^]*\n0$/m,
  );
  await commitWith(code.path, '[[\n');
  const broken = await launch(app.admin, seed.projectId, { template_id });
  expect((await untilFinished(app.admin, broken)).status).toBe('error');
  expect(await logText(app.admin, broken)).toContain(
    '.gitmodules of the repository cannot be read',
  );
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
