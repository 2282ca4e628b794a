import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from '../../../test/helpers/app.ts';
import { findCanaries, readProcesses } from '../../../test/helpers/canaries.ts';
import { folder, seedProject } from '../../../test/helpers/seed.ts';
import { readStored } from '../../../test/helpers/stored.ts';
import { launch, logText, untilFinished, untilStatus } from '../../../test/helpers/tasks.ts';
import { until } from '../../../test/helpers/until.ts';

/** A project whose only playbook is this shell script: see test/fixtures/bin. */
async function projectOf(app: TestApp, script: string) {
  return seedProject(app.admin, { 'play.yml': script });
}

async function leftovers(app: TestApp): Promise<string[]> {
  return readdir(join(app.ctx.config.dataDir, 'runs'));
}

test('hides the secrets of keys and answers, and leaves none of them behind', async () => {
  const app = await testApp({ runner: true });
  const script = [
    'for argument; do case $argument in --*-password-file=*|--extra-vars=@*)',
    '  file=${argument#*=}; file=${file#@}; echo "file $file"; cat "$file"; echo',
    '  stat -c "mode %a" "$file"; base64 -w0 "$file"; echo ;; esac; done',
    'tr "\\0" " " < /proc/$$/cmdline; echo; tr "\\0" " " < /proc/$$/environ; echo',
  ].join('\n');
  const seed = await projectOf(app, script);
  const params = { project_id: seed.projectId };
  const secrets = ['canary-login-1', 'canary-become-2', 'canary-answer-3'];
  const ids: number[] = [];
  for (const [index, password] of secrets.slice(0, 2).entries()) {
    const body = {
      name: `Password ${index}`,
      type: 'login_password' as const,
      login_password: { login: `user${index}`, password },
    };
    ids.push((await app.admin.call(keys.create, { params, body })).id);
  }
  const [user = 0, become = 0] = ids;
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: {
      name: 'With keys',
      type: 'static',
      inventory: 'localhost\n',
      ssh_key_id: user,
      become_key_id: become,
    },
  });
  const template = await seed.template({
    inventory_id: inventory.id,
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const task = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    secret: JSON.stringify({ token: secrets[2] }),
  });
  await untilStatus(app.admin, task, 'success');
  const log = await logText(app.admin, task);
  expect(log).toContain('--user=user0');
  expect(log).toContain('--become-user=user1');
  expect(log.match(/mode 600/g)).toHaveLength(3);
  expect(log).toContain('********');
  const files = [...log.matchAll(/^file (.*)$/gm)].map(([, path]) => String(path));
  expect(files).toHaveLength(3);
  expect(await until(async () => (await leftovers(app)).length === 0)).toBe(true);
  for (const path of files) await expect(readFile(path)).rejects.toThrow('ENOENT');
  const stored = Buffer.concat((await readStored(app.ctx.config)).map(({ bytes }) => bytes));
  for (const secret of secrets) {
    for (const text of [secret, Buffer.from(secret).toString('base64')]) {
      expect(log).not.toContain(text);
      expect(stored.includes(text)).toBe(false);
    }
  }
  expect(await until(async () => (await leftovers(app)).length === 0)).toBe(true);
});

test('gives an ssh key to the program through an agent, and ends the agent', async () => {
  const app = await testApp({ runner: true });
  const script = [
    'ssh-add -l',
    'echo "socket $SSH_AUTH_SOCK"',
    'echo "agents: $(grep -l "ssh-agent.*$SSH_AUTH_SOCK" /proc/[0-9]*/cmdline | wc -l)"',
  ];
  const seed = await projectOf(app, script.join('\n'));
  const params = { project_id: seed.projectId };
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
  const make = async (name: string, passphrase: string) => {
    const ssh = { login: 'deploy', passphrase, private_key: privateKey.replaceAll('\n', '\r\n') };
    return app.admin.call(keys.create, { params, body: { name, type: 'ssh', ssh } });
  };
  const run = async (keyId: number) => {
    const inventory = await app.admin.call(inventories.create, {
      params,
      body: { name: `Key ${keyId}`, type: 'static', inventory: 'localhost\n', ssh_key_id: keyId },
    });
    const template = await seed.template({ inventory_id: inventory.id });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { status } = await untilFinished(app.admin, task);
    return { status, log: await logText(app.admin, task) };
  };
  const good = await run((await make('Good', 'canary phrase')).id);
  expect(good.log).toContain('(ED25519)');
  expect(good.log).toContain('--user=deploy');
  expect(good.status).toBe('success');
  const socket = /socket (.*)/.exec(good.log)?.[1] ?? '';
  expect(socket).not.toBe('');
  expect(await until(async () => (await leftovers(app)).length === 0)).toBe(true);
  await expect(readFile(socket)).rejects.toThrow('ENOENT');
  // The agent's environment is hidden from its own user, so the mark in it cannot be seen.
  expect(good.log).toContain('agents: 1');
  expect(findCanaries({ socket }, await readProcesses('cmdline'))).toEqual([]);
  const bad = await run((await make('Bad', 'wrong')).id);
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
  const app = await testApp({ runner: true, config: { path } });
  const seed = await seedProject(app.admin, { 'play.yml': 'ssh-add -l\n' });
  const params = { project_id: seed.projectId };
  const file = join(programs, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  const ssh = { login: 'deploy', passphrase: '', private_key: await readFile(file, 'utf8') };
  const key = { name: 'Key', type: 'ssh' as const, ssh };
  const { id } = await app.admin.call(keys.create, { params, body: key });
  const hosts = { name: 'Late', type: 'static' as const, inventory: 'localhost\n' };
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: { ...hosts, ssh_key_id: id },
  });
  const template = await seed.template({ inventory_id: inventory.id });
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const { status } = await untilFinished(app.admin, task);
  expect([status, await logText(app.admin, task)]).toEqual([
    'success',
    expect.stringContaining('(ED25519)'),
  ]);
});
