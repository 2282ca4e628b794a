// Slow: playbooks with the real Ansible.
// What a run of Ansible hands on.

import { expect, test } from 'vitest';
import { newCanary } from '../../../test/helpers/canaries.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const inventory = 'one ansible_connection=local\ntwo ansible_connection=local\n';
const plain = (name: string, value: unknown) => ({ name, value, secret: null });
const hidden = (name: string, value: unknown) => ({
  name,
  value: null,
  secret: JSON.stringify(value),
});

async function run(tasks: string, more: object = {}) {
  const runner = await testRunner({ config: { path: realPrograms } });
  const play = `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks}`;
  return runner.run({ files: { 'play.yml': play }, inventory, ...more });
}

test('what set_stats sets for the whole run is handed on, and nothing of single hosts', async () => {
  const { status, task } = await run(`
    - ansible.builtin.set_stats:
        data: { url: "https://{{ 'example.com' }}", count: 2, deep: { list: [1, null, true] } }
      run_once: true
    - ansible.builtin.set_stats:
        data: { total: 1 }
    - ansible.builtin.set_stats:
        data: { own: 1 }
        per_host: true
`);
  expect([status, task.outputs]).toEqual([
    'success',
    [
      plain('url', 'https://example.com'),
      plain('count', 2),
      plain('deep', { list: [1, null, true] }),
      plain('total', 2),
    ],
  ]);
});

test('what is set with no_log is a secret', async () => {
  const [token, user, known] = [newCanary(), newCanary(), newCanary()];
  const values = JSON.stringify({ token, user: { name: user } });
  const { status, task, log } = await run(
    `
    - ansible.builtin.set_stats:
        data: { token: "{{ values.token }}", user: "{{ values.user }}" }
      run_once: true
      no_log: true
    - ansible.builtin.set_stats:
        data: { shown: "{{ values.token }} {{ known }}" }
      run_once: true
`,
    { json: `{ "values": ${values} }`, secretAnswers: { known } },
  );
  expect([status, task.outputs]).toEqual([
    'success',
    [hidden('token', token), hidden('user', { name: user }), plain('shown', '******** ********')],
  ]);
  expect(log).not.toContain('canary');
});

test('names that a playbook computes while it hides them are secret', async () => {
  const { task } = await run(`
    - ansible.builtin.set_stats: { data: { other: 2 } }
      run_once: true
    - ansible.builtin.set_stats:
        data: "{{ { 'some' ~ 'thing': 1 } }}"
      run_once: true
      no_log: true
`);
  expect(task.outputs).toEqual([plain('other', 2), hidden('something', 1)]);
  const inLoop = await run(`
    - ansible.builtin.set_stats: { data: { other: 2 } }
      run_once: true
    - ansible.builtin.set_stats:
        data: { one: "{{ item }}" }
      loop: [x, y]
      run_once: true
      no_log: true
`);
  expect(inLoop.task.outputs).toEqual([hidden('other', 2), hidden('one', 'xy')]);
});

test('a file replaces what is set, and a failed playbook hands on what it has set', async () => {
  const { task } = await run(`
    - ansible.builtin.set_stats: { data: { a: set, b: set } }
      run_once: true
    - ansible.builtin.copy:
        dest: "{{ lookup('env', 'SIGNALBOX_OUTPUTS') }}"
        content: "b=written\\n"
      run_once: true
    - ansible.builtin.fail:
`);
  expect([task.failure?.code, task.outputs]).toEqual([
    'failure.exit_code',
    [plain('a', 'set'), plain('b', 'written')],
  ]);
});

test.each([
  [20_000, 'failure.outputs_value_size', { name: 'a', most: 16 }],
  [600_000, 'failure.outputs_size', { most: 64 }],
])('%s characters are too many', async (count, code, params) => {
  const { status, task } = await run(`
    - ansible.builtin.set_stats: { data: { a: "{{ 'x' * ${count} }}" } }
      run_once: true
`);
  expect([status, task.failure, task.outputs]).toEqual(['error', { code, params }, []]);
});
