// Slow: servers of ssh are started, changed and reached by playbooks.
// The keys of ssh hosts: pinned at first sight, and refused when they change, until they are forgotten.

import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { startSshServer } from '../../../test/helpers/sshd.ts';
import { sshKey } from '../../../test/runner/given.ts';
import { testRunner, type TestRunnerOptions } from '../../../test/runner/test-runner.ts';
import {
  forgetHostKey,
  forgetHostKeys,
  knownHostsPath,
  readHostKeys,
} from '../../node/data-folder/known-hosts.ts';

const project = 1;

async function overSsh(options: TestRunnerOptions = {}) {
  const server = await startSshServer();
  const key = sshKey(await server.allowKey('ed25519'), { login: server.user });
  const runner = await testRunner(options);
  const code = await gitRepository({ 'play.yml': 'echo hello\n' });
  const run = async () => {
    const repository = `ssh://127.0.0.1:${server.port}${code}`;
    const { status, log } = await runner.run({ project, repository, key });
    return [status, log];
  };
  return { server, runner, key, run, pinned: () => readHostKeys(runner.config, project) };
}

test.each(['ed25519', 'rsa'] as const)(
  'a host that comes back with another key, of the type %s, is refused until its key is forgotten',
  async (type) => {
    const { server, runner, run, pinned } = await overSsh();
    expect(pinned()).toEqual([]);
    expect(await run()).toEqual(['success', expect.stringContaining('hello')]);
    const before = pinned();
    expect(before).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        host: `[127.0.0.1]:${server.port}`,
        type: 'ssh-ed25519',
        fingerprint: await server.fingerprint(),
      },
    ]);
    await server.changeHostKey(type);
    expect(await run()).toEqual(['error', expect.stringContaining('forget the pinned key')]);
    expect(pinned()).toEqual(before);
    forgetHostKey(runner.config, project, before[0]?.id ?? '');
    expect(await run()).toEqual(['success', expect.stringContaining('hello')]);
    expect(pinned()[0]?.fingerprint).toBe(await server.fingerprint());
  },
);

test('a host is known by all its keys, also when it drops the one that was seen first', async () => {
  const { server, run, pinned } = await overSsh();
  expect((await run())[0]).toBe('success');
  await server.addHostKey();
  expect((await run())[0]).toBe('success');
  expect(pinned().map(({ type }) => type)).toEqual(['ssh-ed25519', 'ssh-rsa']);
  await server.dropHostKey();
  expect((await run())[0]).toBe('success');
});

test('Ansible, too, refuses a host with another key and says where to forget it', async () => {
  const { server, runner, key } = await overSsh({ config: { path: realPrograms } });
  const play =
    '- hosts: all\n  gather_facts: false\n  tasks: [{ ansible.builtin.raw: echo hello }]\n';
  const run = () =>
    runner.run({
      project,
      files: { 'play.yml': play },
      inventory: `127.0.0.1 ansible_port=${server.port}\n`,
      user: key,
    });
  const reached = { status: 'success', log: expect.stringContaining('unreachable=0') as string };
  expect(await run()).toMatchObject(reached);
  const pins = await readFile(knownHostsPath(runner.config, project), 'utf8');
  expect(pins).toContain(`[127.0.0.1]:${server.port}`);
  await server.changeHostKey();
  const { status, log } = await run();
  expect([status, log]).toEqual(['error', expect.stringContaining('forget the pinned key')]);
  expect(log).toContain('Host key verification failed');
  forgetHostKeys(runner.config, project);
  expect(await run()).toMatchObject(reached);
});

test('forgetting one key leaves all other lines of the file as they are', async () => {
  const { runner, run, pinned } = await overSsh();
  await run();
  const path = knownHostsPath(runner.config, project);
  const own = await readFile(path, 'utf8');
  const others =
    '# a remark\n@cert-authority *.example.com ssh-ed25519 AAAA\nexample.com ssh-rsa AAAA\n';
  await writeFile(path, others + own);
  expect(pinned().map(({ host }) => host)).toEqual(['example.com', own.split(' ')[0]]);
  forgetHostKey(runner.config, project, pinned()[1]?.id ?? '');
  expect(await readFile(path, 'utf8')).toBe(others);
  // A host of which nothing is pinned is not bound by what is pinned of others.
  expect((await run())[0]).toBe('success');
});
