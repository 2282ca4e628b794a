// Slow: the real ansible-galaxy installs requirements again and again.
// Requirements with the real ansible-galaxy, from sources on this machine.

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const collection = {
  'tools/galaxy.yml':
    'namespace: demo\nname: tools\nversion: 1.0.0\nreadme: README.md\nauthors: [A]\n',
  'tools/README.md': 'Tools\n',
  'tools/roles/greet/tasks/main.yml': '- ansible.builtin.debug: { msg: collection one }\n',
};

async function roleArchive(says = 'from the role'): Promise<string> {
  const place = await folder();
  const role = join(place, 'polite');
  await mkdir(join(role, 'tasks'), { recursive: true });
  await mkdir(join(role, 'meta'));
  await writeFile(join(role, 'tasks/main.yml'), `- ansible.builtin.debug: { msg: ${says} }\n`);
  await writeFile(join(role, 'meta/main.yml'), 'galaxy_info: { author: A }\ndependencies: []\n');
  execFileSync('tar', ['czf', join(place, 'polite.tar.gz'), '-C', place, 'polite']);
  return join(place, 'polite.tar.gz');
}

const realRunner = () => testRunner({ config: { path: realPrograms } });

/** A repository whose playbook needs a role and a collection. */
async function needy(files: Record<string, string> = {}): Promise<string> {
  return gitRepository({
    ...collection,
    ...files,
    'requirements.yml': [
      'collections: [{ name: ./tools, type: dir }]',
      `roles: [{ name: polite, src: "file://${await roleArchive()}" }]`,
      '',
    ].join('\n'),
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [polite, demo.tools.greet]\n',
  });
}

test('installs roles and collections of one file, and keeps them', async () => {
  const runner = await realRunner();
  const repository = await needy();
  const first = await runner.run({ repository });
  expect([first.status, first.log]).toEqual(['success', first.log]);
  expect(first.log).toContain('requirements.yml: installing collections');
  expect(first.log).not.toContain('will not be picked up');
  expect(first.log).toContain('from the role');
  expect(first.log).toContain('collection one');
  const second = await runner.run({ repository });
  expect(second.log).toContain('requirements.yml: roles are installed already');
  expect(second.log).toContain('collection one');
  // Requirements from the repository are installed again when they change.
  const main = 'tools/roles/greet/tasks/main.yml';
  await commitFiles(repository, { [main]: '- ansible.builtin.debug: { msg: collection two }\n' });
  expect((await runner.run({ repository })).log).toContain('collection two');
});

test.each(['requirements.yaml', 'roles/requirements.yaml'])('%s counts as well', async (name) => {
  const runner = await realRunner();
  const requirements = `- { name: polite, src: "file://${await roleArchive('from yaml')}" }\n`;
  const repository = await gitRepository({
    [name]: requirements,
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [polite]\n',
  });
  const alone = await runner.run({ repository });
  expect(alone.log).toContain(`${name}: installing roles`);
  expect(alone.log).toContain('from yaml');
  // Of both, the usual name counts.
  const usual = name.replace('.yaml', '.yml');
  await commitFiles(repository, {
    [usual]: `- { name: polite, src: "file://${await roleArchive('from yml')}" }\n`,
  });
  const beside = await runner.run({ repository });
  expect(beside.log).toContain('from yml');
  expect(beside.log).toContain(`${name}: not used, since there is a ${usual} too`);
  expect(beside.log).not.toContain(`${name}: installing`);
});

test('roles are installed again when a file changes that the requirements only lead to', async () => {
  const runner = await realRunner();
  const outside = await roleArchive('outside one');
  const archive = async (says: string) => readFile(await roleArchive(says), 'latin1');
  const repository = await gitRepository({
    'requirements.yml': '- include: more.yml\n',
    'more.yml': `- { name: polite, src: "file://${outside}" }\n`,
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [polite]\n',
  });
  expect((await runner.run({ repository })).log).toContain('outside one');
  await commitFiles(repository, {
    'more.yml': `- { name: polite, src: "file://${await roleArchive('included two')}" }\n`,
  });
  expect((await runner.run({ repository })).log).toContain('included two');
  // A path without a beginning that shows that it is one.
  const place = { 'requirements.yml': '- { name: polite, src: files/polite.tar.gz }\n' };
  const commitArchive = async (says: string) => {
    const path = join(repository, 'files');
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'polite.tar.gz'), await archive(says), 'latin1');
    await commitFiles(repository, { ...place, 'note.txt': says });
  };
  for (const says of ['plain path three', 'plain path four']) {
    await commitArchive(says);
    expect((await runner.run({ repository })).log).toContain(says);
  }
  // A file outside, which no commit covers.
  await commitFiles(repository, { 'requirements.yml': `- { name: polite, src: "${outside}" }\n` });
  expect((await runner.run({ repository })).log).toContain('outside one');
  await copyFile(await roleArchive('outside five'), outside);
  expect((await runner.run({ repository })).log).toContain('outside five');
});

test('finds what it has installed although the repository sets other paths', async () => {
  const runner = await realRunner();
  const paths = '[defaults]\nroles_path = ./nowhere\ncollections_path = ./nowhere\n';
  const repository = await needy({ 'ansible.cfg': paths });
  const { status, log } = await runner.run({ repository });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('from the role');
  expect(log).toContain('collection one');
});

test.each<[name: string, env: Record<string, string>, playbook: string, said: string]>([
  [
    'ANSIBLE_ROLES_PATH',
    { ANSIBLE_ROLES_PATH: '/nowhere', ANSIBLE_COLLECTIONS_PATH: '/nowhere' },
    'play.yml',
    'from the role',
  ],
  ['ANSIBLE_CONFIG', { ANSIBLE_CONFIG: 'settings/ansible.cfg' }, 'rude.yml', 'from the own role'],
])(
  'finds what it has installed, and what is there, although %s names other paths',
  async (_name, env, playbook, said) => {
    const runner = await realRunner();
    const repository = await needy({
      'settings/ansible.cfg': '[defaults]\nroles_path = own\ncollections_path = ../nowhere\n',
      'settings/own/rude/tasks/main.yml': '- ansible.builtin.debug: { msg: from the own role }\n',
      'rude.yml':
        '- hosts: all\n  gather_facts: false\n  roles: [polite, demo.tools.greet, rude]\n',
    });
    const { status, log } = await runner.run({ repository, env: JSON.stringify(env), playbook });
    expect([status, log]).toEqual(['success', log]);
    expect(log).toContain('from the role');
    expect(log).toContain('collection one');
    expect(log).toContain(said);
  },
);

test('files above the playbook count as well, and the nearest wins', async () => {
  const runner = await realRunner();
  const near = `roles: [{ name: polite, src: "file://${await roleArchive('from nearby')}" }]\n`;
  const repository = await needy({
    'sites/web/roles/requirements.yml': near,
    'sites/web/play.yml':
      '- hosts: all\n  gather_facts: false\n  roles: [polite, demo.tools.greet]\n',
  });
  const { status, log } = await runner.run({ repository, playbook: 'sites/web/play.yml' });
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('sites/web/roles/requirements.yml: installing roles');
  expect(log).toMatch(/\brequirements\.yml: installing collections/);
  expect(log).toContain('from nearby');
  expect(log).not.toContain('from the role');
  expect(log).toContain('collection one');
});

test('a requirement that cannot be installed fails the task, and the log says why', async () => {
  const runner = await realRunner();
  const repository = await gitRepository({
    'roles/requirements.yml': '- { name: gone, src: "file:///nowhere/gone.tar.gz" }\n',
    'play.yml': '- hosts: all\n  roles: [gone]\n',
  });
  const { status, log } = await runner.run({ repository });
  expect(status).toBe('error');
  expect(log).toContain('roles/requirements.yml: installing roles');
  expect(log).toContain('gone');
  expect(log).not.toContain('Command: ansible-playbook');
});

test('requirements that the template leaves out end no task, and the log names them', async () => {
  const runner = await realRunner();
  const files = {
    'roles/requirements.yml': '- { name: gone, src: "file:///nowhere/gone.tar.gz" }\n',
    'requirements.yml': 'collections: [{ name: demo.tools, source: "http://127.0.0.1:9" }]\n',
    'play.yml': '- hosts: all\n  gather_facts: false\n  tasks: []\n',
  };
  const repository = await gitRepository(files);
  const { status, log } = await runner.run({ repository, installRequirements: 'never' });
  expect([status, log]).toEqual(['success', log]);
  const said = log.match(
    /^.*requirements\.yml: not installed, as the settings of the template say$/gm,
  );
  expect(said).toHaveLength(2);
  expect(log).not.toContain('installing');
  const usual = await runner.run({ repository });
  expect(usual.status).toBe('error');
});

test('requirements are installed at each run if the template says so', async () => {
  const runner = await realRunner();
  const repository = await needy();
  const given = { repository, installRequirements: 'always' } as const;
  for (const _ of [1, 2]) {
    const { status, log } = await runner.run(given);
    expect([status, log]).toEqual(['success', expect.stringContaining('from the role')]);
    expect(log).toContain('requirements.yml: installing roles');
    expect(log).toContain('requirements.yml: installing collections');
  }
  // Nothing of it is kept for runs of other templates.
  expect((await runner.run({ repository })).log).toContain('requirements.yml: installing roles');
});

test('collections are looked for again when one that was there already is gone, or a server is another', async () => {
  const runner = await realRunner();
  const settings = (server: string) =>
    `[defaults]\ncollections_path = vendored\n[galaxy]\nserver_list = mine\n[galaxy_server.mine]\nurl = ${server}\n`;
  const there = 'vendored/ansible_collections/demo/other/galaxy.yml';
  const repository = await needy({ 'ansible.cfg': settings('https://one'), [there]: 'x\n' });
  // Collections of a git repository are no local sources.
  const source = await gitRepository({
    'galaxy.yml': collection['tools/galaxy.yml'],
    'README.md': 'Tools\n',
    'roles/greet/tasks/main.yml': collection['tools/roles/greet/tasks/main.yml'],
  });
  await commitFiles(repository, {
    'requirements.yml': `collections: [{ name: "git+https://localhost/x", type: git }]\n`,
    'play.yml': '- hosts: all\n  gather_facts: false\n  roles: [demo.tools.greet]\n',
  });
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${source}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://localhost/x',
  };
  const run = async () => (await runner.run({ repository, env: JSON.stringify(env) })).log;
  const isInstalling = async () => (await run()).includes('installing collections');
  expect([await isInstalling(), await isInstalling()]).toEqual([true, false]);
  await commitFiles(repository, { 'ansible.cfg': settings('https://two') });
  expect([await isInstalling(), await isInstalling()]).toEqual([true, false]);
  await commitFiles(repository, { [there.replace('other', 'more')]: 'x\n' });
  expect([await isInstalling(), await isInstalling()]).toEqual([true, false]);
});
