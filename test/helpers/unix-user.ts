// Makes a real user of this machine, for tests that sign in with a password and become another
// user.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { findRunUsers, type RunUser } from '../../src/node/process/run-users.ts';

export interface UnixUser {
  login: string;
  password: string;
}

/** Runs a command as root, either directly or by a sudo without password. */
export function asRoot(command: string, args: string[], input = ''): void {
  const isRoot = process.getuid?.() === 0;
  const [program, rest] = isRoot ? [command, args] : ['sudo', ['-n', command, ...args]];
  try {
    execFileSync(program, rest, { input, stdio: ['pipe', 'ignore', 'pipe'] });
  } catch (error) {
    const advice = 'This test makes a user of the machine: run it as root, or allow sudo for it.';
    throw new Error(isRoot ? `${command} failed` : advice, { cause: error });
  }
}

/**
 * A user who may do everything by sudo with the password; the user is removed when the test ends.
 */
export function makeUnixUser(password: string): UnixUser {
  const login = `sbx-${randomBytes(4).toString('hex')}`;
  const rights = `/etc/sudoers.d/${login}`;
  const home = `/tmp/${login}`;
  onTestFinished(() => {
    asRoot('rm', ['-f', rights]);
    asRoot('userdel', ['--force', login]);
    asRoot('rm', ['-rf', home]);
  });
  asRoot('useradd', ['--create-home', '--home-dir', home, '--shell', '/bin/sh', login]);
  asRoot('chpasswd', [], `${login}:${password}\n`);
  asRoot('tee', [rights], `${login} ALL=(ALL:ALL) ALL\n`);
  asRoot('chmod', ['440', rights]);
  return { login, password };
}

/** Users that run tasks, each with a group of its own; `NAME[1-N]` names them all. */
export function makeRunUsers(count: number): RunUser[] {
  const name = `sbx-${randomBytes(4).toString('hex')}-`;
  const names = Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
  onTestFinished(() => removeUsers(names));
  for (const login of names) {
    const home = ['--create-home', '--home-dir', `/tmp/${login}`];
    asRoot('useradd', ['--system', '--user-group', ...home, login]);
  }
  return findRunUsers(names.join(','));
}

function removeUsers(names: string[]): void {
  for (const login of names) {
    asRoot('userdel', ['--force', login]);
    asRoot('rm', ['-rf', `/tmp/${login}`]);
  }
}
