// Slow: runs of the real Ansible.
// A run of Ansible that reached no host, or that could not read its inventory, with the real program.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { git, gitRepository } from '../../../test/helpers/seed.ts';
import type { TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const play = (hosts: string): string =>
  `- hosts: ${hosts}\n  gather_facts: false\n  connection: local\n  tasks: [{ debug: { msg: one } }]\n`;

/** A script that lists no inventory, and whose last line Ansible would take for the name of a host. */
const failing = { type: 'file', inventory: 'fails.sh' } as const;

async function repositoryOf(playbook: string): Promise<string> {
  const path = await gitRepository({
    'play.yml': playbook,
    [failing.inventory]: '#!/bin/sh\nfalse\n',
  });
  await chmod(join(path, failing.inventory), 0o755);
  await git(path, 'commit', '--quiet', '--all', '--message', 'Make the script executable');
  return path;
}

test('only a run that reached a host is a plain success', { timeout: 240_000 }, async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const onAll = await repositoryOf(play('all'));
  const onLocal = await repositoryOf(play('web') + play('localhost'));
  const run = async (given: TaskInput) => {
    const { status, task } = await runner.run({ repository: onAll, ...given });
    return [status, task.failure?.code];
  };
  const plain = ['success', undefined];
  const [marked, failed] = ['success', 'error'].map((status) => [status, 'failure.no_hosts']);
  expect(await run({ inventory: 'web1' })).toEqual(plain);
  expect(await run({ inventory: '' })).toEqual(marked);
  expect(await run({ inventory: failing })).toEqual(marked);
  const failWithoutHosts = true;
  expect(await run({ failWithoutHosts, inventory: 'web1' })).toEqual(plain);
  expect(await run({ failWithoutHosts, inventory: '' })).toEqual(failed);
  expect((await run({ failWithoutHosts, inventory: failing }))[0]).toBe('error');
  // The machine itself needs no inventory, and a play without hosts beside others is usual.
  const local = { failWithoutHosts, repository: onLocal };
  expect(await run({ ...local, inventory: '' })).toEqual(plain);
  // A script that nobody may execute lists no hosts either.
  const inert = await gitRepository({ 'play.yml': play('all'), 'inert.sh': '#!/bin/sh\nfalse\n' });
  const inertFile = {
    repository: inert,
    inventory: { type: 'file', inventory: 'inert.sh' },
  } as const;
  expect(await run(inertFile)).toEqual(marked);
  expect((await run({ ...inertFile, failWithoutHosts }))[0]).toBe('error');
  // Nobody knows which hosts an inventory has that cannot be read.
  expect((await run({ ...local, inventory: failing }))[0]).toBe('error');
});
