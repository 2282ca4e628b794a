// Why a run of Ansible ends before its first task, and what the log says of passwords that nobody types.

import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { asksForPassword } from './ansible.ts';
import { ansibleHeadline } from './ansible-errors.ts';

const play = '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug:\n';
const inventory = 'one ansible_connection=local\n';

test('an error of Ansible itself is the reason of the failure', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const files = {
    'play.yml': play,
    'ansible.cfg': '[defaults]\nstdout_callback = nowhere.tools.yaml\n',
  };
  const { task } = await runner.run({ files, inventory });
  expect(task.failure).toMatchObject({
    code: 'failure.program_error',
    params: { error: expect.stringMatching(/nowhere\.tools\.yaml.*callback_result_format = yaml/) },
  });
});

test('a failed task is no error of Ansible itself', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const failing = play.replace('debug', 'fail');
  const { task } = await runner.run({ files: { 'play.yml': failing }, inventory });
  expect(task.failure?.code).toBe('failure.exit_code');
});

test('headlines of all versions are read, and failures of tasks are none', () => {
  expect(
    [
      "\u001b[0;31m[ERROR]: Error processing keyword 'name': 'nope' is undefined\u001b[0m",
      "ERROR! the role 'web' was not found in /a:/b",
      '[ERROR]: Task failed: Module failed: no',
      'fatal: [one]: FAILED!',
    ].map(ansibleHeadline),
  ).toEqual([
    "Error processing keyword 'name': 'nope' is undefined",
    "the role 'web' was not found in /a:/b",
    null,
    null,
  ]);
});

test('arguments that ask for a password are told in the log', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const { log } = await runner.run({ files: { 'play.yml': play }, inventory, arguments: ['-bK'] });
  expect(log).toContain('nobody can type it');
  expect(log).toContain('Sudo credentials');
});

test.each([
  ['-k', true],
  ['-vK', true],
  ['--ask-become-pass', true],
  ['--ask-vault-password', true],
  ['-e', false],
  ['-eK=1', false],
  ['--forks=5', false],
])('%s asks for a password: %s', (argument, expected) => {
  expect(asksForPassword([argument])).toBe(expected);
});
