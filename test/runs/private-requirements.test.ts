// Requirements from git repositories that ask for a key, with the real ansible-galaxy.

import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { startGitHttp } from '../helpers/git-http.ts';
import { gitRepository, seedProject } from '../helpers/seed.ts';
import { startSshServer } from '../helpers/sshd.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';

const role = {
  'tasks/main.yml': '- ansible.builtin.debug: { msg: from the private role }\n',
  'meta/main.yml': 'galaxy_info: { author: A }\ndependencies: []\n',
};
const collection = {
  'galaxy.yml': 'namespace: demo\nname: tools\nversion: 1.0.0\nreadme: README.md\nauthors: [A]\n',
  'README.md': 'Tools\n',
  'roles/greet/tasks/main.yml': '- ansible.builtin.debug: { msg: from the private collection }\n',
};
const play = '- hosts: all\n  gather_facts: false\n  roles: [quiet, demo.tools.greet]\n';

type Key =
  | { type: 'none' }
  | { type: 'ssh'; ssh: object }
  | { type: 'login_password'; login_password: object };

/** Runs a playbook that asks for both, from a repository with this key. */
async function run(address: (path: string) => string, key: Key, environment: object = {}) {
  const app = await testApp({
    runner: true,
    config: { path: String(process.env['PATH']), httpRepositories: true },
  });
  const [roleAt, collectionAt] = [await gitRepository(role), await gitRepository(collection)];
  const code = await gitRepository({
    'play.yml': play,
    'requirements.yml': [
      `roles: [{ name: quiet, scm: git, src: "${address(roleAt)}", version: main }]`,
      `collections: [{ name: "${address(collectionAt)}", type: git, version: main }]`,
      '',
    ].join('\n'),
  });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const { id: keyId } = await app.admin.call(keys.create, { params, body: { name: 'K', ...key } });
  const repository = await app.admin.call(repositories.create, {
    params,
    body: {
      name: 'Private',
      git_url: key.type === 'none' ? code : address(code),
      git_branch: 'main',
      ssh_key_id: keyId,
    },
  });
  const { id: environmentId } = await app.admin.call(environments.create, {
    params,
    body: { name: 'Process', ...environment },
  });
  const template = await seed.template({
    repository_id: repository.id,
    environment_id: environmentId,
  });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { status } = await untilFinished(app.admin, task);
  return { status, log: await logText(app.admin, task) };
}

function expectInstalled({ status, log }: { status: string; log: string }): void {
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('from the private role');
  expect(log).toContain('from the private collection');
  expect(log).not.toContain('canary');
}

describe('private roles and collections', () => {
  test('are fetched over ssh with the key of the repository', async () => {
    const server = await startSshServer();
    const address = (path: string): string =>
      `ssh://${server.user}@127.0.0.1:${server.port}${path}`;
    const privateKey = await server.allowKey('ed25519', 'canary phrase');
    const ssh = { login: '', private_key: privateKey, passphrase: 'canary phrase' };
    expectInstalled(await run(address, { type: 'ssh', ssh }));
    const without = await run(address, { type: 'none' });
    expect(without.status).toBe('error');
    expect(without.log).toContain('Permission denied');
    expect(without.log).not.toContain('Command: ansible-playbook');
  });

  test('are fetched over http with the login and password of the repository', async () => {
    const root = dirname(await gitRepository({ file: 'x' }));
    const server = await startGitHttp({ root, account: 'robot:canary-password' });
    const address = (path: string): string => `${server.url}${path.slice(root.length + 1)}/.git`;
    const login_password = { login: 'robot', password: 'canary-password' };
    expectInstalled(await run(address, { type: 'login_password', login_password }));
    const without = await run(address, { type: 'none' });
    expect(without.status).toBe('error');
    expect(without.log).toContain('terminal prompts disabled');
  });

  test('are fetched with the process variables of the environment, the secret ones too', async () => {
    const address = (path: string): string => `https://code.invalid${path}`;
    const given = {
      env: JSON.stringify({
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_VALUE_0: 'https://code.invalid/',
      }),
      secrets: [
        {
          operation: 'create',
          type: 'env',
          name: 'GIT_CONFIG_KEY_0',
          secret: 'url.file:///.insteadOf',
        },
      ],
    };
    expectInstalled(await run(address, { type: 'none' }, given));
  });
});
