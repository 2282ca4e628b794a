// Slow: packages, collections and submodules are made and installed for users of their own.
// Tasks as users of their own, with what tasks use besides: submodules, packages of Python, roles
// and collections, keys in an agent, pinned host keys. Real programs, and a real sshd.

import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { makeGreetingWheel } from '../../../test/helpers/python-wheel.ts';
import { commitFiles, folder, git, gitRepository } from '../../../test/helpers/seed.ts';
import { startSshServer } from '../../../test/helpers/sshd.ts';
import { makeRunUsers } from '../../../test/helpers/unix-user.ts';
import { until } from '../../../test/helpers/until.ts';
import { sshKey, type TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import type { OpenKey } from '../api/run-secrets.ts';
import { forgetHostKeys, readHostKeys } from '../../node/data-folder/known-hosts.ts';
import { prepareIsolation } from './run-users.ts';

const longTime = 180_000;

/** A runner whose tasks have users of their own, and a repository at this address. */
async function setUp(repository: string, key?: OpenKey) {
  const users = makeRunUsers(2);
  const runner = await testRunner({
    config: { runAs: users, path: realPrograms },
    isWaiting: true,
  });
  await prepareIsolation(runner.config);
  await runner.start();
  const run = (given: TaskInput = {}) => runner.run({ repository, ...(key && { key }), ...given });
  return { users, run, config: runner.config };
}

/** As a local repository lies: others may read it. */
async function readable(path: string): Promise<string> {
  await chmod(path, 0o755);
  return path;
}

const whoAmI = 'echo "I am $(id -u)"';

test(
  'checks out submodules, and keeps what it fetched of them',
  { timeout: longTime },
  async () => {
    const inner = await readable(await gitRepository({ text: 'innermost\n' }));
    const code = await readable(
      await gitRepository({
        'play.yml': `${whoAmI}; cat roles/inner/text; stat -c %u roles/inner\n`,
      }),
    );
    const allow = ['-c', 'protocol.file.allow=always'];
    await git(code, ...allow, 'submodule', '--quiet', 'add', inner, 'roles/inner');
    await git(code, 'commit', '--quiet', '--message', 'Add a submodule');
    const { users, run, config } = await setUp(code);
    const uid = String(users[0]?.uid);
    for (const _ of ['first', 'again']) {
      const { status, log } = await run({ app: 'bash' });
      expect([status, log]).toEqual(['success', log]);
      expect(log).toContain(`I am ${uid}\ninnermost\n${uid}`);
    }
    const mirrors = join(config.dataDir, 'mirrors');
    for (const name of await readdir(mirrors)) {
      expect((await stat(join(mirrors, name))).uid).toBe(0);
    }
  },
);

const tryToChange = `
import os, greeting
print(greeting.hello('world'), os.getuid())
try: open(greeting.__file__, 'a')
except PermissionError: print('cannot change it')
`;

test('installs packages of Python that no task can change', { timeout: longTime }, async () => {
  const code = await readable(await gitRepository({ 'main.py': tryToChange }));
  makeGreetingWheel(code);
  await commitFiles(code, { 'requirements.txt': './greeting-1.0-py3-none-any.whl\n' });
  const { users, run } = await setUp(code);
  const logs: string[] = [];
  for (const _ of ['first', 'again']) {
    const { status, log } = await run({ app: 'python', playbook: 'main.py' });
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain(`hello world ${users[0]?.uid}\ncannot change it`);
    logs.push(log);
  }
  expect(logs[0]).toContain('installing packages');
  expect(logs[1]).toContain('packages are installed already');
});

test('installs roles and collections from folders', { timeout: longTime }, async () => {
  const place = await readable(await folder());
  await mkdir(join(place, 'polite/tasks'), { recursive: true });
  await commitRole(place);
  const code = await readable(
    await gitRepository({
      'tools/galaxy.yml':
        'namespace: demo\nname: tools\nversion: 1.0.0\nreadme: README.md\nauthors: [A]\n',
      'tools/README.md': 'Tools\n',
      'tools/roles/greet/tasks/main.yml': '- ansible.builtin.debug: { msg: from the collection }\n',
      'requirements.yml': [
        'collections: [{ name: ./tools, type: dir }]',
        `roles: [{ name: polite, scm: git, src: "file://${place}/polite", version: main }]`,
        '',
      ].join('\n'),
      'play.yml': [
        '- hosts: all',
        '  gather_facts: false',
        '  roles: [polite, demo.tools.greet]',
        `  tasks: [{ ansible.builtin.debug: { msg: "I am {{ lookup('pipe', 'id -u') }}" } }]`,
        '',
      ].join('\n'),
    }),
  );
  const { users, run } = await setUp(code);
  for (const words of ['installing roles', 'roles are installed already']) {
    const { status, log } = await run();
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain(words);
    expect(log).toContain('from the role');
    expect(log).toContain('from the collection');
    expect(log).toContain(`I am ${users[0]?.uid}`);
  }
});

async function commitRole(place: string): Promise<void> {
  const role = join(place, 'polite');
  await git(role, 'init', '--quiet');
  await commitFiles(role, {
    'tasks/main.yml': '- ansible.builtin.debug: { msg: from the role }\n',
    'meta/main.yml': 'galaxy_info: { author: A }\ndependencies: []\n',
  });
}

const overSsh = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.command: echo over-ssh-$((40 + 2))
      register: said
    - ansible.builtin.debug: { msg: ["{{ said.stdout }}", "I am {{ lookup('pipe', 'id -u') }}"] }
`;

test(
  'signs in by ssh with a key in an agent, and holds to pinned host keys',
  { timeout: longTime },
  async () => {
    const server = await startSshServer();
    const privateKey = await server.allowKey('ed25519', 'a phrase for the key');
    const code = await gitRepository({
      'play.yml': overSsh.replace('command: echo', 'shell: echo'),
    });
    const key = sshKey(privateKey, { login: server.user, passphrase: 'a phrase for the key' });
    const address = `ssh://127.0.0.1:${server.port}${code}`;
    const { config, users, run } = await setUp(address, key);
    const inventory = `127.0.0.1 ansible_port=${server.port} ansible_python_interpreter=auto_silent\n`;
    const fields = { inventory, user: key };
    const first = await run(fields);
    expect([first.status, first.log]).toEqual(['success', first.log]);
    expect(first.log).toContain('over-ssh-42');
    expect(first.log).toContain(`I am ${users[0]?.uid}`);
    const [pinned, ...others] = readHostKeys(config, 1);
    expect([pinned?.host, others]).toEqual([`[127.0.0.1]:${server.port}`, []]);
    await server.changeHostKey();
    const second = await run(fields);
    expect(second.status).toBe('error');
    expect(second.log).not.toContain('over-ssh-42');
    forgetHostKeys(config, 1);
    const third = await run(fields);
    expect([third.status, third.log]).toEqual(['success', third.log]);
    // No agent and no socket of one is left.
    expect(
      await readdir(dirname(users[0]?.home ?? '')).then((names) =>
        names.filter((name) => name.startsWith('ssh-')),
      ),
    ).toEqual([]);
  },
);

test(
  'a host key that is forgotten while a task runs stays forgotten',
  { timeout: longTime },
  async () => {
    const server = await startSshServer();
    const key = sshKey(await server.allowKey('ed25519'), { login: server.user });
    const code = await gitRepository({
      'play.yml': 'touch "$HOME/began"; until [ -e "$HOME/go" ]; do sleep 0.1; done\n',
    });
    const { config, run } = await setUp(`ssh://127.0.0.1:${server.port}${code}`, key);
    const running = run({ app: 'bash' });
    const runs = join(config.dataDir, 'runs');
    const home = await until(async () => {
      const [name = ''] = await readdir(runs);
      return existsSync(join(runs, name, 'home/began')) && join(runs, name, 'home');
    }, 60);
    expect(readHostKeys(config, 1)).toHaveLength(1);
    forgetHostKeys(config, 1);
    await writeFile(join(home, 'go'), '');
    expect((await running).status).toBe('success');
    await until(async () => (await readdir(runs)).length === 0);
    expect(readHostKeys(config, 1)).toEqual([]);
  },
);

test(
  'fetches a submodule of another host with the key of the host, and keeps its pinned host key',
  { timeout: longTime },
  async () => {
    const server = await startSshServer();
    const key = sshKey(await server.allowKey('ed25519'));
    const inner = await gitRepository({ text: 'from the other host\n' });
    const url = `ssh://${server.user}@127.0.0.1:${server.port}${inner}`;
    const code = await readable(await gitRepository({ 'run.sh': `${whoAmI}; cat other/text\n` }));
    await writeFile(
      join(code, '.gitmodules'),
      `[submodule "other"]\n\tpath = other\n\turl = "${url}"\n`,
    );
    await git(code, 'add', '.gitmodules');
    const hash = await git(inner, 'rev-parse', 'HEAD');
    await git(code, 'update-index', '--add', '--cacheinfo', `160000,${hash},other`);
    await git(code, 'commit', '--quiet', '--message', 'Link');
    const { users, run, config } = await setUp(code);
    const host = `127.0.0.1:${server.port}`;
    const byHost = [{ type: 'host' as const, host, key }];
    const { status, log } = await run({ app: 'bash', playbook: 'run.sh', byHost });
    expect([status, log]).toEqual(['success', expect.stringContaining('from the other host')]);
    expect(users.map(({ uid }) => `I am ${uid}`).some((words) => log.includes(words))).toBe(true);
    expect(readHostKeys(config, 1)).toHaveLength(1);
  },
);
