import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findCanaries, readProcesses } from '../../../test/helpers/canaries.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import { login, sshKey } from '../../../test/runner/given.ts';
import { testRunner, type TestRunner } from '../../../test/runner/test-runner.ts';

const leftovers = ({ config }: TestRunner): Promise<string[]> =>
  readdir(join(config.dataDir, 'runs'));

/** All bytes of the files in the data folder. */
async function readStored({ config }: TestRunner): Promise<Buffer> {
  const entries = await readdir(config.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
  );
}

test('hides the secrets of keys and answers, and leaves none of them behind', async () => {
  const runner = await testRunner();
  const script = [
    'for argument; do case $argument in --*-password-file=*|--extra-vars=@*)',
    '  file=${argument#*=}; file=${file#@}; echo "file $file"; cat "$file"; echo',
    '  stat -c "mode %a" "$file"; base64 -w0 "$file"; echo ;; esac; done',
    'tr "\\0" " " < /proc/$$/cmdline; echo; tr "\\0" " " < /proc/$$/environ; echo',
  ].join('\n');
  const secrets = ['canary-login-1', 'canary-become-2', 'canary-answer-3'];
  const [user = '', become = '', token = ''] = secrets;
  const { status, log } = await runner.run({
    files: { 'play.yml': script },
    inventory: 'localhost\n',
    user: login('user0', user),
    become: login('user1', become),
    secretAnswers: { token },
  });
  expect(status).toBe('success');
  expect(log).toContain('--user=user0');
  expect(log).toContain('--become-user=user1');
  // The passwords, the extra variables and the answers.
  expect(log.match(/mode 600/g)).toHaveLength(4);
  expect(log).toContain('********');
  const files = [...log.matchAll(/^file (.*)$/gm)].map(([, path]) => String(path));
  expect(files).toHaveLength(4);
  expect(await until(async () => (await leftovers(runner)).length === 0)).toBe(true);
  for (const path of files) await expect(readFile(path)).rejects.toThrow('ENOENT');
  const stored = await readStored(runner);
  for (const secret of secrets) {
    for (const text of [secret, Buffer.from(secret).toString('base64')]) {
      expect(log).not.toContain(text);
      expect(stored.includes(text)).toBe(false);
    }
  }
  expect(await until(async () => (await leftovers(runner)).length === 0)).toBe(true);
});

test('gives an ssh key to the program through an agent, and ends the agent', async () => {
  const runner = await testRunner();
  const script = [
    'ssh-add -l',
    'echo "socket $SSH_AUTH_SOCK"',
    'echo "agents: $(grep -l "ssh-agent.*$SSH_AUTH_SOCK" /proc/[0-9]*/cmdline | wc -l)"',
  ];
  const place = await folder();
  const file = join(place, 'id');
  execFileSync('ssh-keygen', [
    '-q',
    '-t',
    'ed25519',
    '-N',
    'canary phrase',
    '-C',
    'me',
    '-f',
    file,
  ]);
  const privateKey = await readFile(file, 'utf8');
  const run = (passphrase: string) =>
    runner.run({
      files: { 'play.yml': script.join('\n') },
      inventory: 'localhost\n',
      user: sshKey(privateKey, { login: 'deploy', passphrase }),
    });
  const good = await run('canary phrase');
  expect(good.log).toContain('(ED25519)');
  expect(good.log).toContain('--user=deploy');
  expect(good.status).toBe('success');
  const socket = /socket (.*)/.exec(good.log)?.[1] ?? '';
  expect(socket).not.toBe('');
  expect(await until(async () => (await leftovers(runner)).length === 0)).toBe(true);
  await expect(readFile(socket)).rejects.toThrow('ENOENT');
  // The agent's environment is hidden from its own user, so the mark in it cannot be seen.
  expect(good.log).toContain('agents: 1');
  expect(findCanaries({ socket }, await readProcesses('cmdline'))).toEqual([]);
  const bad = await run('wrong');
  expect(bad.status).toBe('error');
  expect(bad.log).toContain('Check the key and its passphrase');
  expect(good.log + bad.log).not.toContain('canary');
});

test('waits for an ssh-agent that does not listen yet when its socket is there', async () => {
  const programs = await folder();
  const agent = execFileSync('sh', ['-c', 'command -v ssh-agent'], { encoding: 'utf8' }).trim();
  const late = `#!/bin/sh\ntouch "$3"\nsleep 0.3\nrm "$3"\nexec ${agent} "$@"\n`;
  await writeFile(join(programs, 'ssh-agent'), late, { mode: 0o755 });
  const standIns = fileURLToPath(new URL('../../../test/fixtures/bin', import.meta.url));
  const path = [programs, standIns, process.env['PATH']].join(delimiter);
  const runner = await testRunner({ config: { path } });
  const file = join(programs, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  const { status, log } = await runner.run({
    files: { 'play.yml': 'ssh-add -l\n' },
    inventory: 'localhost\n',
    user: sshKey(await readFile(file, 'utf8'), { login: 'deploy' }),
  });
  expect([status, log]).toEqual(['success', expect.stringContaining('(ED25519)')]);
});
