// Slow: each test starts servers of git and fetches from them.
// Keys for other hosts than that of the repository, with real servers of ssh and https.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pointerTo, startGitHttp } from '../../../test/helpers/git-http.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { startSshServer, type SshServer } from '../../../test/helpers/sshd.ts';
import { login, sshKey } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const addressAt = ({ user, port }: SshServer, path: string): string =>
  `ssh://${user}@127.0.0.1:${port}${path}`;

const hostOf = ({ port }: SshServer): string => `127.0.0.1:${port}`;

/** A repository of two that has the other one as its submodule `roles/other`. */
async function linked(
  url: (path: string) => string,
  script = 'cat roles/other/text\n',
): Promise<string> {
  const other = await gitRepository({ text: 'from the other host\n' });
  const code = await gitRepository({ 'play.yml': script });
  await link(code, url(other), await git(other, 'rev-parse', 'HEAD'));
  return code;
}

async function link(path: string, url: string, hash: string): Promise<void> {
  const text = `[submodule "other"]\n\tpath = roles/other\n\turl = "${url}"\n`;
  await writeFile(join(path, '.gitmodules'), text);
  await git(path, 'add', '.gitmodules');
  await git(path, 'update-index', '--add', '--cacheinfo', `160000,${hash},roles/other`);
  await git(path, 'commit', '--quiet', '--message', 'Link');
}

/** The fingerprint of a private key without a passphrase. */
async function fingerprintOf(privateKey: string): Promise<string> {
  const file = join(await folder(), 'key');
  await writeFile(file, privateKey, { mode: 0o600 });
  return execFileSync('ssh-keygen', ['-lf', file], { encoding: 'utf8' }).split(' ')[1] ?? '';
}

test('a submodule on another host is fetched with the key of this host, which only it sees', async () => {
  const runner = await testRunner();
  const [first, second] = [await startSshServer(), await startSshServer()];
  const [own, others] = [await first.allowKey('ed25519'), await second.allowKey('ed25519')];
  const code = await linked((path) => addressAt(second, path));
  const given = { repository: addressAt(first, code), key: sshKey(own) };
  const byHost = [{ type: 'host' as const, host: hostOf(second), key: sshKey(others) }];
  const { status, log } = await runner.run({ ...given, byHost });
  expect([status, log]).toEqual(['success', expect.stringContaining('from the other host')]);
  expect(await first.log()).toContain(await fingerprintOf(own));
  expect(await first.log()).not.toContain(await fingerprintOf(others));
  expect(await second.log()).not.toContain(await fingerprintOf(own));
  const without = await testRunner();
  const refused = await without.run(given);
  expect([refused.status, refused.log]).toEqual([
    'error',
    expect.stringContaining('Permission denied'),
  ]);
});

test('the key of a repository wins for its own address, and the longer prefix for others', async () => {
  const runner = await testRunner();
  const server = await startSshServer();
  const [own, team] = [
    await server.allowKey('ed25519'),
    await server.allowKey('ed25519', 'phrase'),
  ];
  const wrong = await (await startSshServer()).allowKey('ed25519');
  const code = await linked((path) => addressAt(server, path));
  const other = (await git(code, 'config', '--file', '.gitmodules', 'submodule.other.url')).trim();
  const byHost = [
    { type: 'host' as const, host: '127.0.0.1', key: sshKey(wrong) },
    { type: 'url' as const, host: other, key: sshKey(team, { passphrase: 'phrase' }) },
    { type: 'url' as const, host: `${dirname(other)}/`, key: sshKey(wrong) },
    { type: 'url' as const, host: other.slice(0, -1), key: sshKey(wrong) },
  ];
  const given = { repository: addressAt(server, code), key: sshKey(own), byHost };
  const { status, log } = await runner.run(given);
  expect([status, log]).toEqual(['success', expect.stringContaining('from the other host')]);
  expect(await server.log()).not.toContain(await fingerprintOf(wrong));
  // Without a mirror of the first run.
  const second = await testRunner();
  const refused = await second.run({
    ...given,
    byHost: byHost.filter(({ host }) => host !== other),
  });
  expect(refused.status).toBe('error');
  expect(await server.log()).toContain(await fingerprintOf(wrong));
});

test('nothing of these keys is left to the programs of the task', async () => {
  const runner = await testRunner();
  const [first, second] = [await startSshServer(), await startSshServer()];
  const [own, others] = [await first.allowKey('ed25519'), await second.allowKey('ed25519')];
  const look = [
    'cat roles/other/text',
    'for file; do case $file in --extra-vars=@*) ls -R "$(dirname "${file#*@}")" ;; esac; done',
    'ps -eo args | grep "[s]sh-agent.*by-host"; env',
  ];
  const code = await linked((path) => addressAt(second, path), `${look.join('\n')}\n`);
  const byHost = [
    { type: 'host' as const, host: hostOf(second), key: sshKey(others) },
    { type: 'url' as const, host: 'https://git.invalid/', key: login('x', 'canary-password') },
  ];
  const { status, log } = await runner.run({
    repository: addressAt(first, code),
    key: sshKey(own),
    byHost,
    json: '{"a": 1}',
  });
  expect([status, log]).toEqual(['success', expect.stringContaining('from the other host')]);
  expect(log).toContain('variables.yml');
  expect(log).not.toMatch(/by-host-|GIT_SSH|GIT_CONFIG|canary/);
});

test('a prefix of https takes the login of the longest one, also for Git LFS', async () => {
  const content = Buffer.from('the real content\n');
  const root = await folder();
  const account = 'robot:right password';
  const server = await startGitHttp({ root, account, secure: true, largeFiles: [content] });
  const files = { '.gitattributes': '*.bin filter=lfs -text\n', 'app.bin': pointerTo(content) };
  const other = join(root, 'team', 'other.git');
  await mkdir(other, { recursive: true });
  await git(other, 'init', '--quiet');
  for (const name of ['clean', 'process']) await git(other, 'config', `filter.lfs.${name}`, '');
  await git(other, 'config', 'filter.lfs.required', 'false');
  const hash = await commitFiles(other, files);
  const code = await gitRepository({ 'play.yml': 'cat roles/other/app.bin\n' });
  await link(code, `${server.url}team/other.git`, hash);
  const entry = (path: string, password: string) => ({
    type: 'url' as const,
    host: `${server.url}${path}`,
    key: login('robot', password),
  });
  const config = { gitCaFile: server.certificate };
  const run = async (byHost: ReturnType<typeof entry>[]) => {
    const outer = await startGitHttp({ root: dirname(code), account: 'deploy:own password' });
    const repository = `${outer.url}${code.split('/').at(-1)}/.git`;
    const key = login('deploy', 'own password');
    const runner = await testRunner({ config });
    const seen = await runner.run({ repository, key, byHost });
    return { ...seen, outer: outer.authorizations.join() };
  };
  const right = [entry('', 'wrong'), entry('team', 'right password'), entry('tea', 'wrong')];
  const { status, log, outer } = await run(right);
  expect([status, log]).toEqual(['success', expect.stringContaining('the real content')]);
  expect(log).not.toContain('right password');
  expect(outer).not.toContain(Buffer.from(account).toString('base64'));
  const wrong = [entry('', 'right password'), entry('team/other.git', 'wrong')];
  expect((await run(wrong)).status).toBe('error');
});

test('a login goes neither to a host that an address leads to, nor to one of a similar name', async () => {
  const root = await folder();
  const repository = join(root, 'code');
  await mkdir(repository);
  await git(repository, 'init', '--quiet');
  await commitFiles(repository, { 'play.yml': 'echo done\n' });
  const second = await startGitHttp({ root, account: 'other:other password' });
  const first = await startGitHttp({
    root,
    redirect: (path, authorization) =>
      authorization === '' ? null : `${second.url.slice(0, -1)}${path}`,
    account: 'robot:canary-password',
  });
  const runner = await testRunner();
  const entry = { type: 'url' as const, host: first.url, key: login('robot', 'canary-password') };
  const led = await runner.run({ repository: `${first.url}code/.git`, byHost: [entry] });
  expect(led.status).toBe('error');
  const canary = Buffer.from('robot:canary-password').toString('base64');
  expect(first.authorizations.join()).toContain(canary);
  expect(second.authorizations.join()).not.toContain(canary);
  const port = new URL(second.url).port;
  for (const host of [`127.0.0.1@127.0.0.1:${port}`, `localhost:${port}`]) {
    const url = `http://${host}/code/.git`;
    expect((await runner.run({ repository: url, byHost: [entry] })).status).toBe('error');
  }
  expect(second.authorizations.join()).not.toContain(canary);
});

test('a key that cannot be used is named when its host is asked', async () => {
  const runner = await testRunner();
  const server = await startSshServer();
  const code = await gitRepository({ 'play.yml': 'echo done\n' });
  const empty = { type: 'none' as const };
  for (const key of [empty, login('a', 'b'), sshKey('no key at all')]) {
    const { log } = await runner.run({
      repository: addressAt(server, code),
      byHost: [{ type: 'host', host: hostOf(server), key }],
    });
    expect(log).toContain(`The key for ${hostOf(server)} cannot be used`);
  }
  const web = await startGitHttp({ root: dirname(code), account: 'a:b' });
  const second = await runner.run({
    repository: `${web.url}${code.split('/').at(-1)}/.git`,
    byHost: [{ type: 'url', host: web.url, key: empty }],
  });
  expect(second.log).toContain(`The key for ${web.url} cannot be used`);
  for (const key of [empty, sshKey('no key at all')]) {
    const elsewhere = { type: 'host' as const, host: 'git.invalid', key };
    expect((await runner.run({ repository: code, byHost: [elsewhere] })).status).toBe('success');
  }
});

test('roles of other hosts are installed with the keys of these hosts', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const ssh = await startSshServer();
  const key = await ssh.allowKey('ed25519');
  const role = (word: string) => ({
    'tasks/main.yml': `- ansible.builtin.debug: { msg: from the ${word} role }\n`,
    'meta/main.yml': 'galaxy_info: { author: A }\ndependencies: []\n',
  });
  const [quiet, loud] = [await gitRepository(role('quiet')), await gitRepository(role('loud'))];
  const web = await startGitHttp({ root: dirname(loud), account: 'robot:canary-password' });
  const repository = await gitRepository({
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [quiet, loud]\n',
    'requirements.yml': [
      `- { name: quiet, scm: git, src: "https://code.invalid${quiet}", version: main }`,
      `- { name: loud, scm: git, src: "${web.url}${loud.split('/').at(-1)}/.git", version: main }`,
      '',
    ].join('\n'),
  });
  // The address is another one than that of the file: what git connects to decides.
  const env = JSON.stringify({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${addressAt(ssh, '/')}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://code.invalid/',
  });
  const { status, log } = await runner.run({
    repository,
    env,
    byHost: [
      { type: 'host', host: hostOf(ssh), key: sshKey(key) },
      { type: 'url', host: web.url, key: login('robot', 'canary-password') },
    ],
  });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('from the quiet role');
  expect(log).toContain('from the loud role');
  expect(log).not.toContain('canary');
});

test('modules of Terraform come from git with these keys, which plan and apply do not have', async () => {
  const ssh = await startSshServer();
  const key = await ssh.allowKey('ed25519');
  const output = 'output "word" {\n  value = "from a module"\n}\n';
  const [one, other] = [
    await gitRepository({ 'main.tf': output }),
    await gitRepository({ 'main.tf': output }),
  ];
  const web = await startGitHttp({ root: dirname(other), account: 'robot:canary-password' });
  const sources = [`git::${addressAt(ssh, one)}`, `git::${web.url}${other.split('/').at(-1)}/.git`];
  const modules = sources.map(
    (source, index) => `module "m${index}" {\n  source = "${source}"\n}\n`,
  );
  const program = join(await folder(), 'terraform');
  const count = 'ls "${SIGNALBOX_OUTPUTS%/own/*}" | grep -c by-host';
  const script = `case $1 in init|plan) echo "$1 has $(${count}) files $GIT_SSH" >&2 ;; esac`;
  await writeFile(program, `#!/bin/sh\n${script}\nexec terraform "$@"\n`, { mode: 0o755 });
  const runner = await testRunner();
  const byHost = [
    {
      type: 'url' as const,
      host: `ssh://127.0.0.1:${ssh.port}/`,
      key: sshKey(key, { login: ssh.user }),
    },
    { type: 'url' as const, host: web.url, key: login('robot', 'canary-password') },
  ];
  const given = {
    app: 'terraform',
    playbook: 'infra',
    inventory: null,
    program: { path: program, args: [] },
    repository: await gitRepository({ 'infra/main.tf': modules.join('') }),
  };
  const { status, log } = await runner.run({ ...given, autoApprove: true, byHost });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toMatch(/^init has [1-9]\d* files \/.*by-host-git.ssh$/m);
  expect(log).toMatch(/^plan has 0 files $/m);
  const without = await testRunner();
  const refused = await without.run(given);
  expect(refused.status).toBe('error');
});
