// Slow: git clones and fetches many repositories.
// Local repositories that have become shallow or partial, and fetches that leave something out.

import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { fakePrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const show = 'cat version; git log --format=%s; git status --porcelain\n';

/** A repository, a clone of it that tasks use, and what makes the clone shallow. */
async function start() {
  const origin = await gitRepository({ 'play.yml': show, version: 'first\n' });
  const clone = join(await folder(), 'clone');
  await git(origin, 'clone', '--quiet', pathToFileURL(origin).href, clone);
  const runner = await testRunner();
  const run = async (given = {}) => {
    const { status, log, task } = await runner.run({ repository: clone, ...given });
    return { status, log, hash: task.commit_hash };
  };
  const renew = async (version: string, ...flags: string[]) => {
    const hash = await commitFiles(origin, { version: `${version}\n` }, version);
    await git(clone, 'fetch', '--quiet', ...flags);
    await git(clone, 'reset', '--quiet', '--hard', 'origin/main');
    return hash;
  };
  return { clone, runner, run, renew };
}

test('a repository that has become shallow runs its new commit', async () => {
  const { run, renew } = await start();
  const first = await run();
  for (const version of ['second', 'third']) {
    const hash = await renew(version, '--depth', '1');
    const { log, ...end } = await run();
    expect(end).toEqual({ status: 'success', hash });
    expect(log).toContain(`\n${version}\n`);
  }
  const last = await renew('fourth', '--unshallow');
  expect(await run()).toMatchObject({ status: 'success', hash: last });
  expect(await run({ commit: first.hash })).toMatchObject({ status: 'success', hash: first.hash });
});

test('one that was always shallow has its history in the run, up to where it ends', async () => {
  const { clone, runner, renew } = await start();
  await renew('second');
  const hash = await renew('third');
  const shallow = join(await folder(), 'shallow');
  await git(clone, 'clone', '--quiet', '--depth', '2', pathToFileURL(clone).href, shallow);
  const given = { repository: shallow };
  const one = await runner.run(given);
  expect([one.status, one.task.commit_hash]).toEqual(['success', hash]);
  expect(one.log).toMatch(/\nthird\nthird\nsecond\n?$/);
  // The whole history is there without a new commit.
  await git(shallow, 'fetch', '--quiet', '--unshallow');
  const two = await runner.run(given);
  expect(two.log).toMatch(/\nthird\nthird\nsecond\n.+\n?$/);
});

test('a fetch that leaves out the new commit fails, and no older one runs', async () => {
  const path = await folder();
  const skip = join(path, 'skip');
  const script = `#!/bin/sh
case " $* " in *" fetch "*) [ ! -e '${skip}' ] || exit 0 ;; esac
PATH='${fakePrograms}' exec git "$@"
`;
  await writeFile(join(path, 'git'), script);
  await chmod(join(path, 'git'), 0o755);
  const runner = await testRunner({ config: { path: `${path}:${fakePrograms}` } });
  const repository = await gitRepository({ 'play.yml': 'cat version\n', version: 'first\n' });
  const old = await runner.run({ repository });
  const hash = await commitFiles(repository, { version: 'second\n' });
  await writeFile(skip, '');
  for (const branch of ['main', '']) {
    const { status, log } = await runner.run({ repository, branch });
    expect(status).toBe('error');
    expect(log).toContain(`The newest commit of ${branch || 'HEAD'} in the repository is ${hash}`);
    expect(log).not.toMatch(/^first$/m);
  }
  // A commit never changes.
  const pinned = await runner.run({ repository, commit: old.task.commit_hash });
  expect(pinned.status).toBe('success');
});

test('the reason of git is shown when a partial clone lacks what it has to give', async () => {
  const origin = await gitRepository({ 'play.yml': 'echo hello\n' });
  await git(origin, 'config', 'uploadpack.allowFilter', 'true');
  const clone = join(await folder(), 'clone');
  const filter = ['--filter=blob:none', '--no-checkout'];
  await git(origin, 'clone', '--quiet', ...filter, pathToFileURL(origin).href, clone);
  await rename(origin, `${origin}-away`);
  onTestFinished(() => rm(`${origin}-away`, { recursive: true }));
  const runner = await testRunner();
  const { status, log } = await runner.run({ repository: clone });
  expect(status).toBe('error');
  expect(log).toMatch(/^remote: .*(?:fatal|error)/m);
});
