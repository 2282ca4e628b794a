// Slow: a real server of ssh, and playbooks with the real Ansible.
// Real ssh: git and Ansible with keys from the key store, against a real server.

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakePrograms, realPrograms } from '../../../test/helpers/programs.ts';
import { folder, gitRepository } from '../../../test/helpers/seed.ts';
import { startSshServer, type SshServer } from '../../../test/helpers/sshd.ts';
import { sshKey } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import type { OpenKey } from '../api/run-secrets.ts';

const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.shell: echo "port \${SSH_CONNECTION##* }"
      register: connection
    - ansible.builtin.debug:
        msg: "{{ connection.stdout }}"
`;

async function runOver({ port }: SshServer, user: OpenKey, config = {}, given = {}) {
  const runner = await testRunner({ config: { path: realPrograms, ...config } });
  const inventory = `127.0.0.1 ansible_port=${port} ansible_python_interpreter=auto_silent\n`;
  return runner.run({ files: { 'play.yml': play }, inventory, user, ...given });
}

test.each([
  ['an ed25519 key with a passphrase', 'ed25519', 'canary phrase 1'],
  ['an RSA key', 'rsa', ''],
] as const)('Ansible signs in with %s', async (_words, type, passphrase) => {
  const server = await startSshServer();
  const privateKey = await server.allowKey(type, passphrase);
  const key = sshKey(privateKey, { login: server.user, passphrase });
  const { status, log } = await runOver(server, key);
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain(`port ${server.port}`);
  const keyLines = privateKey
    .split('\n')
    .filter((line) => line.length > 20 && !line.startsWith('-'));
  for (const secret of [...keyLines, 'canary']) expect(log).not.toContain(secret);
});

test.each([false, true])(
  'hosts are reached when the data folder lies deep, with a kept home: %s',
  async (keepHome) => {
    const server = await startSshServer();
    const user = sshKey(await server.allowKey('ed25519'), { login: server.user });
    const place = await folder();
    const dataDir = join(place, 'd'.repeat(120 - place.length - 1));
    await mkdir(dataDir);
    const { status, log } = await runOver(server, user, { dataDir }, { keepHome });
    expect([status, log]).toEqual(['success', expect.stringContaining(`port ${server.port}`)]);
  },
);

test('each key of a text with two keys is used', async () => {
  const [server, other] = [await startSshServer(), await startSshServer()];
  const keys = [await other.allowKey('ed25519'), await server.allowKey('ed25519')];
  for (const text of [keys, keys.toReversed()]) {
    const { status, log } = await runOver(server, sshKey(text.join('\n'), { login: server.user }));
    expect([status, log]).toEqual(['success', expect.stringContaining(`port ${server.port}`)]);
  }
});

test('git starts ssh once for each of its calls', async () => {
  const path = await folder();
  const script = `#!/bin/sh\nfor word; do echo "$word" >>'${path}/words'; done\nexec /usr/bin/ssh "$@"\n`;
  await writeFile(join(path, 'ssh'), script);
  await chmod(join(path, 'ssh'), 0o755);
  const runner = await testRunner({ config: { path: `${path}:${fakePrograms}` } });
  const server = await startSshServer();
  const code = await gitRepository({ 'play.yml': 'echo hello\n' });
  const { status } = await runner.run({
    repository: `ssh://127.0.0.1:${server.port}${code}`,
    key: sshKey(await server.allowKey('ed25519'), { login: server.user }),
  });
  expect(status).toBe('success');
  // With this option ssh prints its configuration, by which git tells one program from another.
  expect((await readFile(join(path, 'words'), 'utf8')).split('\n')).not.toContain('-G');
});

test('a key that the host does not know fails, and the log says why', async () => {
  const [server, other] = [await startSshServer(), await startSshServer()];
  const privateKey = await other.allowKey('ed25519');
  const { status, log } = await runOver(server, sshKey(privateKey, { login: server.user }));
  expect(status).toBe('error');
  expect(log).toContain('Permission denied');
});

test.each(['in its address', 'in its key'] as const)(
  'git fetches over ssh with the login %s, and keeps no trace of the key',
  async (place) => {
    const runner = await testRunner();
    const server = await startSshServer();
    const code = await gitRepository({ 'play.yml': 'echo hello\n' });
    const login = place === 'in its key' ? server.user : '';
    const privateKey = await server.allowKey('ed25519', 'canary');
    const user = place === 'in its address' ? `${server.user}@` : '';
    const { status, log, task } = await runner.run({
      repository: `ssh://${user}127.0.0.1:${server.port}${code}`,
      key: sshKey(privateKey, { login, passphrase: 'canary' }),
    });
    expect([status, log]).toEqual(['success', expect.stringContaining('hello')]);
    expect(task.commit_hash).toMatch(/^[0-9a-f]{40}$/);
    expect(log).not.toContain('canary');
  },
);
