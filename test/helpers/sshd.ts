// Runs a real ssh server on 127.0.0.1 that accepts the user of the tests by key.

import { createHash } from 'node:crypto';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { asRoot } from './unix-user.ts';
import { until } from './until.ts';

export interface SshServer {
  port: number;
  user: string;
  /** Makes a key that may sign in; returns the private key. */
  allowKey: (type: 'ed25519' | 'rsa', passphrase?: string) => Promise<string>;
  /**
   * Answers with this script whatever is asked with the keys that were allowed before; `$SSH_ORIGINAL_COMMAND`
   * is the command, `$ALLOWED` the file of these keys.
   */
  answerWith: (script: string) => Promise<void>;
  /** Accepts a key that another server has made, without a passphrase. */
  allow: (privateKey: string) => Promise<void>;
  /** The fingerprint of its host key, as ssh shows it. */
  fingerprint: () => Promise<string>;
  /** What the server has logged, with the fingerprint of each key that it was offered. */
  log: () => Promise<string>;
  /** Gives the server another host key, as an impostor would have. */
  changeHostKey: (type?: 'ed25519' | 'rsa') => Promise<void>;
  /** Gives the server a host key of the type rsa beside its first one, or takes the first one away. */
  addHostKey: () => Promise<void>;
  dropHostKey: () => Promise<void>;
}

function makeKey(file: string, type: string, passphrase: string): void {
  const size = type === 'rsa' ? ['-b', '3072'] : [];
  const args = ['-q', '-t', type, ...size, '-N', passphrase, '-C', 'test', '-f', file];
  execFileSync('ssh-keygen', args);
}

/**
 * Starts the server, which ends with the test. With `passwords`, users of the machine may sign in
 * with their password.
 */
export async function startSshServer({ passwords = false } = {}): Promise<SshServer> {
  const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find(existsSync);
  if (!program) throw new Error('No ssh server found. Run "npm test", or install openssh-server.');
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-sshd-'));
  const allowed = join(folder, 'authorized_keys');
  const hostKey = join(folder, 'host_key');
  const log = join(folder, 'log');
  const port = await freePort();
  makeKey(hostKey, 'ed25519', '');
  await writeFile(allowed, '', { mode: 0o600 });
  // The folder for privilege separation, which sshd needs when it runs as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot || passwords) asRoot('mkdir', ['-p', '/run/sshd']);
  const config = join(folder, 'config');
  const secondKey = `${hostKey}_rsa`;
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `AuthorizedKeysFile ${allowed}`,
    `PasswordAuthentication ${passwords ? 'yes' : 'no'}`,
    'KbdInteractiveAuthentication no',
    'PermitRootLogin yes',
    'UsePAM no',
    'StrictModes no',
    'PidFile none',
    'Subsystem sftp internal-sftp',
    'LogLevel VERBOSE',
  ];
  const configure = (hostKeys: string[]) =>
    writeFile(config, [...lines, ...hostKeys.map((key) => `HostKey ${key}`), ''].join('\n'));
  await configure([hostKey]);
  // Only root may check the passwords of other users.
  const [command, ...before] = isRoot || !passwords ? [program] : ['sudo', '-n', program];
  const args = [...before, '-D', '-E', log, '-f', config];
  const start = () => spawn(command, args, { stdio: 'ignore' });
  let server = start();
  const end = async (): Promise<void> => {
    const isOver = new Promise((resolve) => server.once('exit', resolve));
    if (isRoot || !passwords) server.kill('SIGTERM');
    else asRoot('kill', [String(server.pid)]);
    await isOver;
  };
  onTestFinished(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });
  const listens = (): boolean => {
    try {
      execFileSync('ssh-keyscan', ['-p', String(port), '127.0.0.1'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  await until(listens);
  const restart = async (change: () => Promise<void> | void): Promise<void> => {
    await end();
    await change();
    server = start();
    await until(listens);
  };
  let count = 0;
  return {
    port,
    user: userInfo().username,
    async allowKey(type, passphrase = '') {
      count += 1;
      const file = join(folder, `key-${count}`);
      makeKey(file, type, passphrase);
      await appendFile(allowed, await readFile(`${file}.pub`, 'utf8'));
      return readFile(file, 'utf8');
    },
    async allow(privateKey) {
      count += 1;
      const file = join(folder, `key-${count}`);
      await writeFile(file, privateKey, { mode: 0o600 });
      await appendFile(allowed, execFileSync('ssh-keygen', ['-y', '-f', file]));
    },
    async answerWith(script) {
      const file = join(folder, 'answers.sh');
      await writeFile(file, `#!/bin/sh\nALLOWED=${allowed}\n${script}`, { mode: 0o755 });
      const keys = (await readFile(allowed, 'utf8')).replaceAll(/^command="[^"]*" /gm, '');
      await writeFile(allowed, keys.replaceAll(/^(?=ssh-)/gm, `command="${file}" `));
    },
    async fingerprint() {
      const text = await readFile(`${hostKey}.pub`, 'utf8');
      const key = Buffer.from(text.split(' ')[1] ?? '', 'base64');
      return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
    },
    log: () => readFile(log, 'utf8'),
    changeHostKey: (type = 'ed25519') =>
      restart(async () => {
        await rm(hostKey);
        makeKey(hostKey, type, '');
      }),
    addHostKey: () =>
      restart(() => {
        makeKey(secondKey, 'rsa', '');
        return configure([hostKey, secondKey]);
      }),
    dropHostKey: () => restart(() => configure([secondKey])),
  };
}
