// Slow: playbooks sign in on a real server of ssh, with one password after the other.
// Real ssh and sudo with passwords: Ansible signs in as a user of the machine and becomes root.

import { expect, test } from 'vitest';
import { findCanaries, readProcesses } from '../../../test/helpers/canaries.ts';
import { pathWithout } from '../../../test/helpers/path-without.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { startSshServer } from '../../../test/helpers/sshd.ts';
import { makeUnixUser, type UnixUser } from '../../../test/helpers/unix-user.ts';
import { until } from '../../../test/helpers/until.ts';
import { login } from '../../../test/runner/given.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';

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

interface SshHost {
  runner: TestRunner;
  user: UnixUser;
  port: number;
}

async function start(path = realPrograms): Promise<SshHost> {
  const user = makeUnixUser(password);
  const { port } = await startSshServer({ passwords: true });
  return { runner: await testRunner({ config: { path } }), user, port };
}

async function run({ runner, user, port }: SshHost, given: { user: string; become?: string }) {
  const becoming = given.become !== undefined;
  const variables = `ansible_python_interpreter=/usr/bin/python3 becoming=${becoming}`;
  const { status, log, commands } = await runner.run({
    files: { 'play.yml': play },
    inventory: `127.0.0.1 ansible_port=${port} ${variables}\n`,
    user: login(user.login, given.user),
    ...(given.become !== undefined && { become: login('', given.become) }),
    timeoutS: 60,
  });
  return { status, log, commands: commands.join('\n') };
}

test('Ansible signs in with login and password, becomes root, and leaves no process', async () => {
  const place = await start();
  const { status, log, commands } = await run(place, { user: password, become: password });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain(`signed in as ${place.user.login}, became root`);
  expect(commands).toContain('--connection-password-file=');
  expect(commands).toContain('--become-password-file=');
  expect(log + commands).not.toContain('canary');
  // Ansible keeps the connection for a minute, but it has ended too.
  const { dataDir } = place.runner.config;
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

test('without sshpass a password over ssh fails, and the log says what to install', async () => {
  const place = await start(await pathWithout('sshpass'));
  const { status, log } = await run(place, { user: password });
  expect(status).toBe('error');
  expect(log).toContain('you must install the sshpass program');
  expect(log).not.toContain('canary');
});
