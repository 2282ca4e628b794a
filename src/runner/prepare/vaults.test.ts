// Slow: the real Ansible opens vaults.
// Vaults with the real Ansible.

import { execFileSync } from 'node:child_process';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const vaults = { default: 'canary-first', prod: 'canary-second', other: 'canary-third' };
type Vault = keyof typeof vaults;

/** Files of variables, as people put them into a repository. */
let made: Promise<Record<string, string>> | undefined;
const files = () => (made ??= encryptedFiles());

async function encryptedFiles(): Promise<Record<string, string>> {
  return {
    'one.yml': await encrypted('default', 'one: word one\n'),
    'two.yml': await encrypted('prod', 'two: word two\n'),
    'three.yml': await encrypted('other', 'three: word three\n'),
  };
}

async function encrypted(name: Vault, text: string): Promise<string> {
  const place = await folder();
  const [file, secret] = [join(place, 'file.yml'), join(place, 'password')];
  await writeFile(file, text);
  await writeFile(secret, vaults[name]);
  const args = ['encrypt', `--vault-id=${name}@${secret}`, `--encrypt-vault-id=${name}`, file];
  execFileSync('ansible-vault', args, { stdio: 'ignore' });
  return readFile(file, 'utf8');
}

const play = `- hosts: all
  gather_facts: false
  vars_files: [one.yml, two.yml, three.yml]
  tasks:
    - ansible.builtin.debug: { msg: "{{ one }}, {{ two }}, {{ three }}" }
`;

async function start() {
  const runner = await testRunner({ config: { path: realPrograms } });
  const repository = await gitRepository({ 'play.yml': play, ...(await files()) });
  const run = (passwords: Partial<Record<Vault, string>>) => {
    const given = Object.entries(passwords).map(([name, password]) => ({ name, password }));
    return runner.run({ repository, vaults: given });
  };
  return { runner, repository, run };
}

test('several vaults of a template open their own files each', async () => {
  const { run } = await start();
  const { status, log } = await run(vaults);
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('word one, word two, word three');
  for (const name of ['default', 'prod', 'other']) expect(log).toContain(`--vault-id=${name}@`);
  expect(log).not.toContain('canary');
});

test('a wrong or missing vault password fails the task in the words of Ansible', async () => {
  const { run } = await start();
  const wrong = await run({ ...vaults, prod: 'canary-wrong' });
  const missing = await run({ default: vaults.default, other: vaults.other });
  for (const { status, log } of [wrong, missing]) {
    expect(status).toBe('error');
    expect(log).toContain('Decryption failed');
    expect(log).not.toContain('canary');
  }
  expect(wrong.log).toContain('two.yml');
});

async function startWithScripts() {
  const { runner, repository: path } = await start();
  const scripts = {
    'one.sh': `#!/bin/sh\necho ${vaults.default}\n`,
    // The password is in the environment of the template, and which one is asked for in the arguments.
    'two-client.sh': '#!/bin/sh\n[ "$1 $2" = "--vault-id prod" ] && printf %s "$PROD_PASSWORD"\n',
    'three.sh': `#!/bin/sh\necho a line of its errors >&2\necho ${vaults.other}\n`,
    'fails.sh': '#!/bin/sh\necho canary-half\necho no agent: canary-half >&2\nexit 3\n',
    'silent.sh': '#!/bin/sh\n',
    'plain.txt': 'no program\n',
    'show.yml': `${play}    - ansible.builtin.command: sh three.sh\n`,
  };
  await commitFiles(path, scripts);
  for (const name of Object.keys(scripts)) {
    if (name.endsWith('.sh')) await chmod(join(path, name), 0o755);
  }
  await symlink('/bin/echo', join(path, 'out.sh'));
  await commitFiles(path, {}, 'Make scripts executable');
  const run = (scriptOf: Partial<Record<Vault, string>>) =>
    runner.run({
      repository: path,
      playbook: 'show.yml',
      vaults: Object.entries(scriptOf).map(([name, script]) => ({ name, script })),
      secrets: { process: { PROD_PASSWORD: vaults.prod } },
    });
  return { run };
}

const scripts = { default: 'one.sh', prod: 'two-client.sh', other: 'three.sh' };

test('scripts of the repository print passwords, which the log hides', async () => {
  const { run } = await startWithScripts();
  const { status, log } = await run(scripts);
  expect([status, log]).toEqual(['success', log]);
  expect(log).toContain('word one, word two, word three');
  expect(log).not.toContain('canary');
});

test('a script that fails, prints nothing, or is none of the repository ends the task in words', async () => {
  const { run } = await startWithScripts();
  const cases = {
    'fails.sh': 'The vault script "fails.sh" has ended with 3.',
    'silent.sh': 'The vault script "silent.sh" has printed no password.',
    'plain.txt': 'The vault script "plain.txt" could not be run. Is it executable?',
    'absent.sh': 'The vault script "absent.sh" is not in the repository.',
    'out.sh': 'The vault script "out.sh" lies outside the repository.',
  };
  for (const [script, words] of Object.entries(cases)) {
    const { status, log } = await run({ ...scripts, default: script });
    expect([script, status, log]).toEqual([script, 'error', expect.stringContaining(words)]);
    expect(log).not.toContain('canary');
  }
});
