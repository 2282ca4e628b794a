// Tasks as users of their own, with what tasks use besides: submodules, packages of Python, roles
// and collections, keys in an agent, pinned host keys. Real programs, and a real sshd.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { hostKeys } from '#shared/api/host-keys.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../helpers/app.ts';
import { commitFiles, folder, git, gitRepository, seedProject } from '../helpers/seed.ts';
import { startSshServer } from '../helpers/sshd.ts';
import { launch, logText, untilFinished } from '../helpers/tasks.ts';
import { makeRunUsers } from '../helpers/unix-user.ts';
import { until } from '../helpers/until.ts';

const longTime = 180_000;

/** A project whose repository is at this address. */
async function setUp(git_url: string, key: { ssh: object } | null = null) {
  const users = makeRunUsers(2);
  const config = { runAs: users, path: String(process.env['PATH']) };
  const app = await testApp({ runner: true, config });
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const body = key && { name: 'Ssh', type: 'ssh' as const, ...key };
  const keyId = body ? (await app.admin.call(keys.create, { params, body })).id : seed.keyId;
  const repository = await app.admin.call(repositories.create, {
    params,
    body: { name: 'Its code', git_url, git_branch: 'main', ssh_key_id: keyId },
  });
  const run = async (fields: Parameters<typeof seed.template>[0] = {}) => {
    const template = await seed.template({ repository_id: repository.id, ...fields });
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { status } = await untilFinished(app.admin, task, 120);
    return { status, log: await logText(app.admin, task) };
  };
  return { app, seed, users, params, keyId, run };
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
    const { users, run, app } = await setUp(code);
    const uid = String(users[0]?.uid);
    for (const _ of ['first', 'again']) {
      const { status, log } = await run({ app: 'bash' });
      expect([status, log]).toEqual(['success', log]);
      expect(log).toContain(`I am ${uid}\ninnermost\n${uid}`);
    }
    const mirrors = join(app.ctx.config.dataDir, 'mirrors');
    for (const name of await readdir(mirrors)) {
      expect((await stat(join(mirrors, name))).uid).toBe(0);
    }
  },
);

const makeWheel = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + '/greeting-1.0-py3-none-any.whl', 'w') as wheel:
    info = 'greeting-1.0.dist-info/'
    wheel.writestr('greeting.py', 'def hello(name): return "hello " + name\\n')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

const tryToChange = `
import os, greeting
print(greeting.hello('world'), os.getuid())
try: open(greeting.__file__, 'a')
except PermissionError: print('cannot change it')
`;

test('installs packages of Python that no task can change', { timeout: longTime }, async () => {
  const code = await readable(await gitRepository({ 'main.py': tryToChange }));
  execFileSync('python3', ['-c', makeWheel, code]);
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
    const ssh = { login: server.user, private_key: privateKey, passphrase: 'a phrase for the key' };
    const address = `ssh://127.0.0.1:${server.port}${code}`;
    const { app, users, params, keyId, run } = await setUp(address, { ssh });
    const inventory = await app.admin.call(inventories.create, {
      params,
      body: {
        name: 'Over ssh',
        type: 'static',
        inventory: `127.0.0.1 ansible_port=${server.port} ansible_python_interpreter=auto_silent\n`,
        ssh_key_id: keyId,
      },
    });
    const fields = { inventory_id: inventory.id };
    const first = await run(fields);
    expect([first.status, first.log]).toEqual(['success', first.log]);
    expect(first.log).toContain('over-ssh-42');
    expect(first.log).toContain(`I am ${users[0]?.uid}`);
    const [pinned, ...others] = await app.admin.call(hostKeys.list, { params });
    expect([pinned?.host, others]).toEqual([`[127.0.0.1]:${server.port}`, []]);
    await server.changeHostKey();
    const second = await run(fields);
    expect(second.status).toBe('error');
    expect(second.log).not.toContain('over-ssh-42');
    await app.admin.call(hostKeys.removeAll, { params });
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
    const ssh = { login: server.user, private_key: await server.allowKey('ed25519') };
    const code = await gitRepository({
      'play.yml': 'touch "$HOME/began"; until [ -e "$HOME/go" ]; do sleep 0.1; done\n',
    });
    const { app, params, run } = await setUp(`ssh://127.0.0.1:${server.port}${code}`, { ssh });
    const running = run({ app: 'bash' });
    const runs = join(app.ctx.config.dataDir, 'runs');
    const home = await until(async () => {
      const [name = ''] = await readdir(runs);
      return existsSync(join(runs, name, 'home/began')) && join(runs, name, 'home');
    }, 60);
    expect(await app.admin.call(hostKeys.list, { params })).toHaveLength(1);
    await app.admin.call(hostKeys.removeAll, { params });
    await writeFile(join(home, 'go'), '');
    expect((await running).status).toBe('success');
    await until(async () => (await readdir(runs)).length === 0);
    expect(await app.admin.call(hostKeys.list, { params })).toEqual([]);
  },
);
