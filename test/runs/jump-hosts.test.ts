// Slow: two ssh servers and ten playbooks, each of them over two hops.
// Real ssh through a jump host: wherever a team names it, it is used, and its host key is pinned
// and checked like that of the host behind it.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { hostKeys } from '#shared/api/host-keys.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { realPrograms } from '../helpers/programs.ts';
import { commitFiles, folder, seedProject } from '../helpers/seed.ts';
import { startSshServer, type SshServer } from '../helpers/sshd.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { makeRunUsers } from '../helpers/unix-user.ts';
import { until } from '../helpers/until.ts';

const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.raw: echo "port \${SSH_CONNECTION##* }"
      register: connection
    - ansible.builtin.debug:
        msg: "{{ connection.stdout }}"
    - ansible.builtin.copy:
        content: copied
        dest: "{{ copied }}"
`;

interface JumpHostSetup {
  /** Variables of the host in the inventory. */
  host?: string;
  files?: Record<string, string>;
  /** Variables of the process, from the group of variables. */
  env?: Record<string, string>;
}

const places: [name: string, place: (jump: SshServer) => JumpHostSetup][] = [
  [
    'ansible.cfg',
    ({ user, port }) => ({
      files: {
        'ansible.cfg': `[ssh_connection]\nssh_common_args = -o ProxyJump=${user}@127.0.0.1:${port}\n`,
      },
    }),
  ],
  [
    'the inventory, by a command',
    ({ user, port }) => ({
      host: `ansible_ssh_common_args='-o ProxyCommand="ssh -W %h:%p -p ${port} ${user}@127.0.0.1"'`,
    }),
  ],
  [
    'a variable of the environment',
    ({ user, port }) => ({
      env: { ANSIBLE_SSH_COMMON_ARGS: `-o ProxyJump=${user}@127.0.0.1:${port}` },
    }),
  ],
  [
    'a configuration of ssh in the repository',
    ({ user, port }) => ({
      files: {
        'ansible.cfg': '[ssh_connection]\nssh_args = -F ssh.cfg\n',
        'ssh.cfg': `Host jump\n  HostName 127.0.0.1\n  Port ${port}\n  User ${user}\nHost behind\n  HostName 127.0.0.1\n  ProxyJump jump\n`,
      },
      host: 'ansible_host=behind',
    }),
  ],
];

async function setUp(runAs: ReturnType<typeof makeRunUsers> | null = null) {
  const config = { path: realPrograms, ...(runAs && { runAs }) };
  const app = await testApp({ runner: true, config });
  const [jump, behind] = [await startSshServer(), await startSshServer()];
  const seed = await seedProject(app.admin, { 'play.yml': play });
  const params = { project_id: seed.projectId };
  const { git_url: repository } = await app.admin.call(repositories.one, {
    params: { ...params, repository_id: seed.repositoryId },
  });
  await chmod(repository, 0o755);
  const ssh = { login: behind.user, private_key: await behind.allowKey('ed25519') };
  await jump.allow(ssh.private_key);
  const { id: keyId } = await app.admin.call(keys.create, {
    params,
    body: { name: 'Hosts', type: 'ssh', ssh },
  });
  const copied = join(await folder(), 'copied');
  let count = 0;
  const run = async ({ host = '', files = {}, env = {} }: JumpHostSetup) => {
    count += 1;
    await commitFiles(repository, { 'ansible.cfg': '', ...files, count: String(count) });
    const inventory = await app.admin.call(inventories.create, {
      params,
      body: {
        name: `Hosts ${count}`,
        type: 'static',
        inventory: `127.0.0.1 ansible_port=${behind.port} ansible_python_interpreter=/usr/bin/python3 copied=${copied} ${host}\n`,
        ssh_key_id: keyId,
      },
    });
    const environment = await app.admin.call(environments.create, {
      params,
      body: { name: `Variables ${count}`, json: '{}', env: JSON.stringify(env) },
    });
    const template = await seed.template({
      inventory_id: inventory.id,
      environment_id: environment.id,
    });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { status } = await untilFinished(app.admin, task, 120);
    return { status, log: await logText(app.admin, task) };
  };
  const pinned = async (): Promise<string[]> =>
    (await app.admin.call(hostKeys.list, { params })).map(({ host }) => host).toSorted();
  const forget = async (): Promise<void> => {
    for (const { id } of await app.admin.call(hostKeys.list, { params })) {
      await app.admin.call(hostKeys.remove, { params: { ...params, host_key_id: id } });
    }
  };
  return { jump, behind, run, pinned, forget };
}

async function expectPinned(
  { jump, behind, run, pinned, forget }: Awaited<ReturnType<typeof setUp>>,
  some: typeof places,
): Promise<void> {
  const both = [jump, behind].map(({ port }) => `[127.0.0.1]:${port}`).toSorted();
  for (const [name, place] of some) {
    const { status, log } = await run(place(jump));
    expect([name, status, log]).toEqual([name, 'success', log]);
    expect(log).toContain(`port ${behind.port}`);
    // The pins of a task with a user of its own are taken over when its folder is removed.
    const all = await until(async () => (await pinned()).length === both.length && pinned());
    expect([name, all]).toEqual([name, both]);
    await forget();
  }
}

test('a jump host is used and its host key pinned, wherever it is named', async () => {
  await expectPinned(await setUp(), places);
});

test('it is so where tasks have a user of their own', async () => {
  const [, ofInventory, , ofRepository] = places;
  if (!ofInventory || !ofRepository) throw new Error('A place is missing.');
  await expectPinned(await setUp(makeRunUsers(2)), [ofInventory, ofRepository]);
});

test('a jump host that comes back with another key is refused', async () => {
  const { jump, run, pinned } = await setUp();
  const [first, , , ofRepository] = places;
  if (!first || !ofRepository) throw new Error('A place is missing.');
  expect((await run(first[1](jump))).status).toBe('success');
  const before = await pinned();
  await jump.changeHostKey();
  for (const [name, place] of [first, ofRepository]) {
    const { status, log } = await run(place(jump));
    expect([name, status]).toEqual([name, 'error']);
    expect(log).toContain('unreachable=1');
  }
  expect(await pinned()).toEqual(before);
});

test('a configuration of ssh that cannot be read fails with the words of ssh', async () => {
  const { run } = await setUp();
  const { status, log } = await run({
    files: { 'ansible.cfg': '[ssh_connection]\nssh_args = -F gone.cfg\n' },
  });
  expect(status).toBe('error');
  expect(log).toContain("Can't open user config file gone.cfg");
});
