// What the templates of the example need: keys, code, hosts and variables.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiCall } from '../api-client.ts';
import { sshKeygen } from '../private-keys.ts';
import { commitFiles, git } from '../seed.ts';
import { files, inventory, staging } from './files.ts';

export type Add = (noun: string, body: object) => Promise<number>;

/** Adds things to a project; answers their ids. */
export const adder =
  (call: ApiCall, projectId: number): Add =>
  async (noun, body) =>
    (await call<{ id: number }>('POST', `/api/project/${projectId}/${noun}`, body)).id;

export interface Resources {
  none: number;
  login: number;
  vault: number;
  repository: number;
  inventory: number;
  environment: number;
  execution: number;
}

async function makeCode(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'repositories', 'webshop');
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet');
  await commitFiles(folder, files, 'Renew certificates before they end');
  return folder;
}

async function addKeys(add: Add) {
  const [none, deploy, login, vault] = [
    await add('keys', { name: 'No key', type: 'none' }),
    await add('keys', {
      name: 'Deploy key',
      type: 'ssh',
      ssh: { login: 'deploy', private_key: await sshKeygen() },
    }),
    await add('keys', {
      name: 'Webhook secret',
      type: 'login_password',
      login_password: { login: 'hook', password: 'an example of a secret' },
    }),
    await add('keys', {
      name: 'Vault password',
      type: 'login_password',
      login_password: { login: '', password: 'an example of a password' },
    }),
  ];
  return { none, deploy, login, vault };
}

export async function addResources(add: Add, dataDir: string): Promise<Resources> {
  const keys = await addKeys(add);
  const repository = await add('repositories', {
    name: 'Webshop playbooks',
    git_url: await makeCode(dataDir),
    git_branch: 'main',
    ssh_key_id: keys.none,
  });
  await add('repositories', {
    name: 'Infrastructure',
    git_url: 'https://git.example.com/infrastructure.git',
    git_branch: 'main',
    ssh_key_id: keys.login,
  });
  await add('host_configs', { type: 'host', host: 'git.example.com', ssh_key_id: keys.deploy });
  const team = 'https://git.example.com/platform/roles/';
  await add('host_configs', { type: 'url', host: team, ssh_key_id: keys.login });
  const hosts = { type: 'static', ssh_key_id: keys.none };
  const own = { name: 'Production', inventory, ...hosts };
  const found = await add('inventory', own);
  await add('inventory', { ...hosts, name: 'Staging', type: 'static-yaml', inventory: staging });
  const environment = await add('environment', {
    name: 'Production',
    json: '{"window": "02:00 to 04:00", "workers": 4}',
    env: '{"ANSIBLE_FORCE_COLOR": "1"}',
    secrets: [
      { operation: 'create', type: 'var', name: 'api_token', secret: 'an example of a secret' },
    ],
  });
  const execution = await add('execution_environments', {
    name: 'Ansible 2.19',
    kind: 'tools',
    packages: ['ansible-core==2.19.*', 'netaddr'],
    python: '3.12',
  });
  await add('execution_environments', {
    name: 'Network modules',
    kind: 'container',
    image: 'quay.io/example/network-tools:1.4',
    mounts: [{ source: '/srv/certificates', target: '/etc/certificates' }],
  });
  return { ...keys, execution, repository, inventory: found, environment };
}
