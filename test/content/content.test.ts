// Slow: each repository is run twice by the real Ansible.
// Repositories of other people: a run by a runner ends as the same run by hand, host by host.

import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { hostResult } from '#shared/api/tasks.ts';
import { realPrograms } from '../helpers/programs.ts';
import { git as gitIn, gitRepository } from '../helpers/seed.ts';
import { startSshServer } from '../helpers/sshd.ts';
import { sshKey } from '../runner/given.ts';
import { testRunner, type TestRunner } from '../runner/test-runner.ts';
import { runByHand, type ByHand } from './by-hand.ts';
import { behindJumpHost, callbacks, layouts, printedBy, type Layout } from './layouts.ts';

let runner: TestRunner;

beforeAll(async () => {
  runner = await testRunner({ config: { path: realPrograms }, shared: true });
  return () => runner.close();
});

async function repositoryOf({ files, links = {}, goneSubmodules = [] }: Layout): Promise<string> {
  const repository = await gitRepository(files);
  const git = (...args: string[]) => gitIn(repository, ...args);
  for (const path of goneSubmodules) {
    await git('config', '-f', '.gitmodules', `submodule.${path}.path`, path);
    await git(
      'config',
      '-f',
      '.gitmodules',
      `submodule.${path}.url`,
      'https://127.0.0.1:9/gone.git',
    );
    await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`);
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await symlink(target, join(repository, path));
  }
  await git('add', '--ignore-removal', '.');
  await git('commit', '-q', '--allow-empty', '-m', 'Links');
  return repository;
}

const usual: Omit<ByHand, 'repository'> = {
  workingFolder: '.',
  playbook: 'play.yml',
  inventory: { text: 'localhost ansible_connection=local\n' },
  env: {},
  galaxy: [],
};

/** Runs it both ways, and answers our run. */
async function expectTheSame(name: string, layout: Layout) {
  const repository = await repositoryOf(layout);
  const byHand = await runByHand({ ...usual, repository, ...layout.byHand });
  const { status, log, task } = await runner.run({ repository, ...layout.given });
  const sorted = [...task.hosts.values()]
    .map((host) => hostResult.parse(host))
    .toSorted((one, other) => one.host.localeCompare(other.host));
  expect([name, status === 'success', sorted], `${byHand.text}\n${log}`).toEqual([
    name,
    byHand.isRight,
    byHand.hosts,
  ]);
  for (const words of layout.says ?? []) expect(log).toMatch(words);
  return { byHand, log, task };
}

test.each(Object.entries(layouts))('%s: ends as by hand', async (name, layout) => {
  await expectTheSame(name, layout);
});

test.each(callbacks)('the output "%s" hides no result', async (callback) => {
  const { task } = await expectTheSame(callback, printedBy(callback));
  expect([...task.hosts.values()]).toEqual([expect.objectContaining({ ok: 2, changed: 1 })]);
});

test('a host behind a jump host is reached as by hand, wherever the way to it is named', async () => {
  const [jump, behind] = [await startSshServer(), await startSshServer()];
  const key = await behind.allowKey('ed25519');
  await jump.allow(key);
  for (const [name, layout] of Object.entries(behindJumpHost(jump, behind))) {
    const { task } = await expectTheSame(name, {
      ...layout,
      byHand: { ...layout.byHand, sshKey: key },
      given: { ...layout.given, user: sshKey(key, { login: behind.user }) },
    });
    expect([name, [...task.hosts.values()]]).toEqual([
      name,
      [expect.objectContaining({ ok: 2, failed: 0 })],
    ]);
  }
});
