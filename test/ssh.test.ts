// Real ssh: git and Ansible with keys from the key store, against a real server.

import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import type { Task } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { gitRepository, seedProject, type Seed } from './helpers/seed.ts';
import { startSshServer, type SshServer } from './helpers/sshd.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';

const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.shell: echo "port \${SSH_CONNECTION##* }"
      register: connection
    - ansible.builtin.debug:
        msg: "{{ connection.stdout }}"
`;

async function realApp(): Promise<TestApp> {
  return testApp({ runner: true, config: { path: String(process.env['PATH']) } });
}

async function addKey(
  app: TestApp,
  seed: Seed,
  name: string,
  ssh: { login: string; private_key: string; passphrase?: string },
): Promise<number> {
  const params = { project_id: seed.projectId };
  return (await app.admin.call(keys.create, { params, body: { name, type: 'ssh', ssh } })).id;
}

async function runOver(
  app: TestApp,
  seed: Seed,
  server: SshServer,
  keyId: number,
): Promise<{ task: Task; log: string }> {
  const inventory = await app.admin.call(inventories.create, {
    params: { project_id: seed.projectId },
    body: {
      name: `Hosts of key ${keyId}`,
      type: 'static',
      inventory: `127.0.0.1 ansible_port=${server.port} ansible_python_interpreter=auto_silent\n`,
      ssh_key_id: keyId,
    },
  });
  const template = await seed.template({ inventory_id: inventory.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const finished = await untilFinished(app.admin, task);
  return { task: finished, log: await logText(app.admin, task) };
}

test.each([
  ['an ed25519 key with a passphrase', 'ed25519', 'canary phrase 1'],
  ['an RSA key', 'rsa', ''],
] as const)('Ansible signs in with %s', async (_words, type, passphrase) => {
  const app = await realApp();
  const server = await startSshServer();
  const seed = await seedProject(app.admin, { 'play.yml': play });
  const privateKey = await server.allowKey(type, passphrase);
  const ssh = { login: server.user, private_key: privateKey, passphrase };
  const keyId = await addKey(app, seed, 'Hosts', ssh);
  const { task, log } = await runOver(app, seed, server, keyId);
  expect([task.status, log]).toEqual(['success', log]);
  expect(log).toContain(`port ${server.port}`);
  const keyLines = privateKey
    .split('\n')
    .filter((line) => line.length > 20 && !line.startsWith('-'));
  for (const secret of [...keyLines, 'canary']) expect(log).not.toContain(secret);
});

test('a key that the host does not know fails, and the log says why', async () => {
  const app = await realApp();
  const [server, other] = [await startSshServer(), await startSshServer()];
  const seed = await seedProject(app.admin, { 'play.yml': play });
  const privateKey = await other.allowKey('ed25519');
  const keyId = await addKey(app, seed, 'Wrong', { login: server.user, private_key: privateKey });
  const { task, log } = await runOver(app, seed, server, keyId);
  expect(task.status).toBe('error');
  expect(log).toContain('Permission denied');
});

test.each(['in its address', 'in its key'] as const)(
  'git fetches over ssh with the login %s, and keeps no trace of the key',
  async (place) => {
    const app = await testApp({ runner: true });
    const server = await startSshServer();
    const seed = await seedProject(app.admin);
    const code = await gitRepository({ 'play.yml': 'echo hello\n' });
    const login = place === 'in its key' ? server.user : '';
    const ssh = {
      login,
      private_key: await server.allowKey('ed25519', 'canary'),
      passphrase: 'canary',
    };
    const keyId = await addKey(app, seed, 'Git', ssh);
    const user = place === 'in its address' ? `${server.user}@` : '';
    const repository = await app.admin.call(repositories.create, {
      params: { project_id: seed.projectId },
      body: {
        name: 'Remote',
        git_url: `ssh://${user}127.0.0.1:${server.port}${code}`,
        git_branch: 'main',
        ssh_key_id: keyId,
      },
    });
    const template = await seed.template({ repository_id: repository.id });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const finished = await untilFinished(app.admin, task);
    const log = await logText(app.admin, task);
    expect([finished.status, log]).toEqual(['success', expect.stringContaining('hello')]);
    expect(finished.commit_hash).toMatch(/^[0-9a-f]{40}$/);
    expect(log).not.toContain('canary');
  },
);
