// Slow: the real ansible-galaxy fetches from real servers of git.
// Requirements from git repositories that ask for a key, with the real ansible-galaxy.

import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startGitHttp } from '../../../test/helpers/git-http.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { startSshServer } from '../../../test/helpers/sshd.ts';
import { login, sshKey, type TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

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

/** Runs a playbook that asks for both, from a repository with this key; without one, from a folder. */
async function run(address: (path: string) => string, given: TaskInput = {}) {
  const runner = await testRunner({ config: { path: realPrograms } });
  const [roleAt, collectionAt] = [await gitRepository(role), await gitRepository(collection)];
  const code = await gitRepository({
    'play.yml': play,
    'requirements.yml': [
      `roles: [{ name: quiet, scm: git, src: "${address(roleAt)}", version: main }]`,
      `collections: [{ name: "${address(collectionAt)}", type: git, version: main }]`,
      '',
    ].join('\n'),
  });
  return runner.run({ ...given, repository: given.key ? address(code) : code });
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
    const key = sshKey(privateKey, { passphrase: 'canary phrase' });
    expectInstalled(await run(address, { key }));
    const without = await run(address);
    expect(without.status).toBe('error');
    expect(without.log).toContain('Permission denied');
    expect(without.log).not.toContain('Command: ansible-playbook');
  });

  test('are fetched over http with the login and password of the repository', async () => {
    const root = dirname(await gitRepository({ file: 'x' }));
    const server = await startGitHttp({ root, account: 'robot:canary-password' });
    const address = (path: string): string => `${server.url}${path.slice(root.length + 1)}/.git`;
    expectInstalled(await run(address, { key: login('robot', 'canary-password') }));
    const without = await run(address);
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
      secrets: { process: { GIT_CONFIG_KEY_0: 'url.file:///.insteadOf' } },
    };
    expectInstalled(await run(address, given));
  });
});
