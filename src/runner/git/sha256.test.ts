// Repositories whose objects are named by SHA-256.

import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';

const show = 'cat version; git rev-parse HEAD; git log --format=%s; git status --porcelain\n';

async function sha256Repository(files: Record<string, string>): Promise<string> {
  const path = await folder();
  await git(path, 'init', '--quiet', '--object-format=sha256');
  await commitFiles(path, files, 'First');
  return path;
}

async function run(runner: TestRunner, repository: string, given = {}) {
  const { status, log, task } = await runner.run({ repository, ...given });
  expect([status, log]).toEqual(['success', expect.any(String)]);
  return { log, hash: task.commit_hash ?? '' };
}

test('they run, again and with a new commit, and an older commit of them does', async () => {
  const runner = await testRunner();
  const repository = await sha256Repository({ 'play.yml': show, version: 'one\n' });
  const first = await run(runner, repository);
  expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(first.log).toContain(`\none\n${first.hash}\nFirst`);
  expect((await run(runner, repository)).log).toContain(`\none\n${first.hash}\n`);
  const next = await commitFiles(repository, { version: 'two\n' }, 'Second');
  expect((await run(runner, repository)).log).toContain(`\ntwo\n${next}\n`);
  expect((await run(runner, repository, { branch: '' })).hash).toBe(next);
  const pinned = await run(runner, repository, { commit: first.hash });
  expect(pinned.log).toContain(`\none\n${first.hash}\n`);
  expect((await run(runner, pathToFileURL(repository).href)).hash).toBe(next);
});

test('their submodules are checked out', async () => {
  const runner = await testRunner();
  const inner = await sha256Repository({ version: 'inner\n' });
  const repository = await sha256Repository({ 'play.yml': 'cat inner/version\n' });
  const allow = ['-c', 'protocol.file.allow=always'];
  await git(repository, ...allow, 'submodule', '--quiet', 'add', inner, 'inner');
  await git(repository, 'commit', '--quiet', '--message', 'Inner');
  expect((await run(runner, repository)).log).toMatch(/\ninner\n?$/);
});

test('a repository that is made again with the other kind of hash runs', async () => {
  const runner = await testRunner();
  const repository = await gitRepository({ 'play.yml': show, version: 'old\n' });
  expect((await run(runner, repository)).hash).toMatch(/^[0-9a-f]{40}$/);
  const other = await sha256Repository({ 'play.yml': show, version: 'new\n' });
  await rm(join(repository, '.git'), { recursive: true });
  await cp(other, repository, { recursive: true });
  expect((await run(runner, repository)).log).toContain('\nnew\n');
});
