// Real ssh and sudo with passwords: Ansible signs in as a user of the machine and becomes root.

import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { folder, seedProject, type Seed } from './helpers/seed.ts';
import { findCanaries, readProcesses } from './helpers/canaries.ts';
import { startSshServer } from './helpers/sshd.ts';
import { launch, logText, untilFinished } from './helpers/tasks.ts';
import { until } from './helpers/until.ts';
import { makeUnixUser, type UnixUser } from './helpers/unix-user.ts';

const play = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.command: id -un
      register: before
    - ansible.builtin.command: id -un
      become: "{{ becoming | default(true) }}"
      register: after
    - ansible.builtin.debug:
        msg: "signed in as {{ before.stdout }}, became {{ after.stdout }}"
`;

const password = `canary 'pass' "word"`;

interface Place {
  app: TestApp;
  seed: Seed;
  user: UnixUser;
  port: number;
}

async function start(path = String(process.env['PATH'])): Promise<Place> {
  const user = makeUnixUser(password);
  const { port } = await startSshServer({ passwords: true });
  const app = await testApp({ runner: true, config: { path } });
  return { app, user, port, seed: await seedProject(app.admin, { 'play.yml': play }) };
}

async function run({ app, seed, user, port }: Place, given: { user: string; become?: string }) {
  const params = { project_id: seed.projectId };
  const addKey = async (name: string, secret: string, login: string) => {
    const login_password = { login, password: secret };
    const body = { name, type: 'login_password' as const, login_password };
    return (await app.admin.call(keys.create, { params, body })).id;
  };
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: {
      name: 'Machine',
      type: 'static',
      inventory: `127.0.0.1 ansible_port=${port} ansible_python_interpreter=/usr/bin/python3 becoming=${given.become !== undefined}\n`,
      ssh_key_id: await addKey('User', given.user, user.login),
      become_key_id: given.become === undefined ? null : await addKey('Sudo', given.become, ''),
    },
  });
  const template = await seed.template({ inventory_id: inventory.id, timeout_s: 60 });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { status, commands } = await untilFinished(app.admin, task);
  return { status, log: await logText(app.admin, task), commands: commands.join('\n') };
}

test('Ansible signs in with login and password, becomes root, and leaves no process', async () => {
  const place = await start();
  const { status, log, commands } = await run(place, { user: password, become: password });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain(`signed in as ${place.user.login}, became root`);
  expect(commands).toContain('--connection-password-file=');
  expect(commands).toContain('--become-password-file=');
  expect(log + commands).not.toContain('canary');
  // The connection, too, which Ansible keeps for a minute.
  const { dataDir } = place.app.ctx.config;
  const isOver = async () => findCanaries({ dataDir }, await readProcesses('cmdline')).length === 0;
  expect(await until(isOver, 10)).toBe(true);
});

test.each([
  ['a wrong password', { user: 'canary-wrong' }, 'Invalid/incorrect password'],
  [
    'a wrong sudo password',
    { user: password, become: 'canary-wrong' },
    /Incorrect sudo password|incorrect password attempt/,
  ],
])('%s fails the task in the words of Ansible, without waiting', async (_words, given, message) => {
  const { status, log } = await run(await start(), given);
  expect(status).toBe('error');
  expect(log).toMatch(message);
  expect(log).not.toContain('The time limit');
  expect(log).not.toContain('canary');
});

/** All programs of the machine but one, under the names that they have. */
async function pathWithout(missing: string): Promise<string> {
  const path = join(await folder(), 'bin');
  await mkdir(path);
  for (const place of String(process.env['PATH']).split(':')) {
    for (const name of await readdir(place).catch(() => [])) {
      if (name === missing) continue;
      await symlink(join(place, name), join(path, name)).catch(() => undefined);
    }
  }
  return path;
}

test('without sshpass a password over ssh fails, and the log says what to install', async () => {
  const place = await start(await pathWithout('sshpass'));
  const { status, log } = await run(place, { user: password });
  expect(status).toBe('error');
  expect(log).toContain('you must install the sshpass program');
  expect(log).not.toContain('canary');
});
