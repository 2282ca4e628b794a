// Runs a repository by hand and by a runner, and compares how both end.

import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { hostResult } from '#shared/api/tasks.ts';
import { git as gitIn, gitRepository } from '../helpers/seed.ts';
import type { TestRunner } from '../runner/test-runner.ts';
import { runByHand, type ByHand } from './by-hand.ts';
import type { Layout } from './layouts.ts';

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

const usual: Omit<ByHand, 'repository' | 'path'> = {
  workingFolder: '.',
  playbook: 'play.yml',
  inventory: { text: 'localhost ansible_connection=local\n' },
  env: {},
  galaxy: [],
};

/** Runs it both ways with the programs of the runner, and answers both. */
export async function expectTheSame(runner: TestRunner, name: string, layout: Layout) {
  const repository = await repositoryOf(layout);
  const byHand = await runByHand({
    ...usual,
    path: runner.config.path,
    repository,
    ...layout.byHand,
  });
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
