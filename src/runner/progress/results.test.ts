// Slow: several playbooks with the real Ansible.
// What the results of a run tell of each task on each host.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Answers } from '#shared/api/task-snapshot.ts';
import type { RunResult } from '#shared/api/run-results.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import type { StoredTask } from '../../../test/runner/memory-store.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const hosts = 'one ansible_connection=local\ntwo ansible_connection=local\n';

const play = (tasks: string, more = ''): string => `
- name: Everything
  hosts: all
  gather_facts: false
${more}  tasks:
${tasks}`;

async function run(
  files: Record<string, string>,
  secretAnswers: Answers = {},
): Promise<{ task: StoredTask; lines: string[] }> {
  const runner = await testRunner({ config: { path: realPrograms } });
  const { task, log } = await runner.run({ files, inventory: hosts, secretAnswers });
  return { task, lines: log.split('\n') };
}

/** The results of a task of Ansible on a host. */
function resultsOf({ runResults, sections }: StoredTask, name: string, host: string): RunResult[] {
  const found = [...sections.values()].filter((one) => one.name === name);
  const numbers = new Set(found.map(({ number }) => number));
  return runResults.filter((one) => numbers.has(one.section) && one.host === host);
}

const only = (task: StoredTask, name: string, host: string): RunResult => {
  const [result, ...more] = resultsOf(task, name, host);
  if (!result || more.length > 0) throw new Error(`${more.length} more results of ${name}`);
  return result;
};

test('a result has its message, output, exit code, differences, times and line', async () => {
  const tasks = `
    - name: Fail
      ansible.builtin.command: sh -c 'echo out; echo problem >&2; exit 3'
      when: inventory_hostname == 'two'
    - name: Write
      ansible.builtin.copy: { content: "one\\ntwo\\n", dest: "{{ playbook_dir }}/written" }
      delegate_to: two
    - name: Change
      ansible.builtin.copy: { content: "one\\nTWO\\n", dest: "{{ playbook_dir }}/written" }
      diff: true
    - name: Hidden
      ansible.builtin.command: echo hidden
      no_log: true
    - name: Until
      ansible.builtin.command: 'true'
      register: told
      until: told is success
      retries: 3
    - name: Show
      ansible.builtin.debug: { var: told.rc }
`;
  const { task, lines } = await run({ 'deploy/play.yml': '', 'play.yml': play(tasks) });
  const failed = only(task, 'Fail', 'two');
  expect(failed).toMatchObject({
    state: 'failed',
    changed: true,
    message: 'problem',
    output: 'out',
    error_output: 'problem',
    exit_code: 3,
    is_hidden: false,
    is_cut: false,
    items: null,
    tries: null,
  });
  expect(lines[(failed.line ?? 0) - 1]).toContain('fatal: [two]: FAILED!');
  expect(Date.parse(failed.begin ?? '')).toBeGreaterThan(Date.parse(task.start ?? ''));
  expect(failed.duration_ms).toBeGreaterThan(0);
  expect(only(task, 'Write', 'one')).toMatchObject({ state: 'changed', delegated_to: 'two' });
  expect(only(task, 'Write', 'one').diffs).toEqual([]);
  const [diff] = only(task, 'Change', 'one').diffs;
  expect(diff?.name).toMatch(/\/written$/);
  expect(diff?.text).toBe('@@ -1,2 +1,2 @@\n one\n-two\n+TWO');
  expect(only(task, 'Hidden', 'one')).toMatchObject({ is_hidden: true, output: '', message: '' });
  expect(only(task, 'Until', 'one')).toMatchObject({ tries: 1 });
  expect(only(task, 'Show', 'one')).toMatchObject({ state: 'ok', message: '0' });
  expect(task.runResults.map(({ id }) => id)).toEqual(task.runResults.map((_, at) => at + 1));
  expect([...task.sections.values()][1]).toMatchObject({
    kind: 'task',
    module: 'ansible.builtin.command',
    role: '',
    path: 'play.yml',
    file_line: 7,
    first: 2,
    begin: expect.any(String),
    end: expect.any(String),
  });
  expect(task.hosts.get('two')).toMatchObject({
    failed: 1,
    first_failure: { result: failed.id, state: 'failed', task: 'Fail', line: failed.line },
  });
  expect(task.failures).toMatchObject([
    { task: 'Fail', message: 'problem', hosts: ['two'], host_count: 1, file_line: 7 },
  ]);
});

test('a loop has counts of its items, and those that failed or changed something', async () => {
  const tasks = `
    - name: Loop
      ansible.builtin.command: echo {{ item }}
      loop: [first, second, third]
      changed_when: item == 'first'
      failed_when: item == 'second'
      ignore_errors: true
      when: item != 'third'
    - name: Messages
      ansible.builtin.fail: { msg: "No {{ item }} is left" }
      loop: [bread, wine]
`;
  const { task, lines } = await run({ 'play.yml': play(tasks) });
  const loop = only(task, 'Loop', 'one');
  expect(loop).toMatchObject({
    state: 'ignored',
    items: { ok: 0, changed: 1, failed: 1, skipped: 1 },
    shown_items: [
      { item: 'first', state: 'changed', output: 'first' },
      { item: 'second', state: 'ignored', output: 'second' },
    ],
    is_cut: false,
  });
  expect(task.failures).toMatchObject([
    { task: 'Messages', message: 'No bread is left', host_count: 2, state: 'failed' },
  ]);
  const failed = only(task, 'Messages', 'two');
  expect(lines[(failed.line ?? 0) - 1]).toMatch(/\[two\]/);
});

test('the hosts of a delegated task are named, and what Ansible asks each host is one task', async () => {
  const tasks = `
    - name: Delegated
      ansible.builtin.command: 'true'
      delegate_to: "{{ item }}"
      loop: [one, two, one]
    - name: Not at all
      ansible.builtin.command: 'true'
      delegate_to: "{{ groups.all[0] }}"
      when: false
    - name: End
      ansible.builtin.meta: end_host
      when: false
    - name: Script
      ansible.builtin.script: fails.sh
      ignore_errors: true
      run_once: true
`;
  const { task } = await run({
    'play.yml': play(tasks),
    'fails.sh': '#!/bin/sh\necho problem >&2\nexit 3\n',
  });
  expect(only(task, 'Delegated', 'one').delegated_to).toBe('two');
  expect(only(task, 'Delegated', 'two').delegated_to).toBe('one');
  expect(only(task, 'Not at all', 'two').delegated_to ?? '').not.toContain('{{');
  const ends = [...task.sections.values()].filter(({ name }) => name === 'End');
  expect(ends).toMatchObject([{ skipped: 2 }]);
  expect(only(task, 'Script', 'one').message).toBe('problem');
});

test('what is too long is cut, and says so', async () => {
  const tasks = `
    - name: Long
      ansible.builtin.command: python3 -c "print('x' * 20000 + 'end')"
    - name: Loop
      ansible.builtin.set_fact: { last: "{{ item }}" }
      changed_when: true
      loop: "{{ range(0, 110) | list }}"
    - name: Write
      ansible.builtin.copy: { content: "{{ 'line\\n' * 20000 }}", dest: "{{ playbook_dir }}/long" }
      diff: true
      run_once: true
`;
  const { task } = await run({ 'play.yml': play(tasks).replace('hosts: all', 'hosts: one') });
  const long = only(task, 'Long', 'one');
  expect([long.is_cut, long.output.length, long.output.endsWith('xend')]).toEqual([
    true,
    8192,
    true,
  ]);
  const loop = only(task, 'Loop', 'one');
  expect([loop.items?.changed, loop.shown_items.length, loop.is_cut]).toEqual([110, 100, true]);
  const write = only(task, 'Write', 'one');
  expect(write.diffs[0]?.text.length).toBeLessThan(33_000);
  expect(write.is_cut).toBe(true);
});

test('secrets are in no result, whatever module tells them', async () => {
  const password = `pw-${randomBytes(12).toString('hex')}`;
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const keyLines = String(key)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('-----'));
  const tasks = `
    - name: "Named {{ password }}"
      ansible.builtin.copy: { content: "{{ key }}", dest: "{{ playbook_dir }}/{{ password }}" }
      diff: true
      run_once: true
    - name: Item
      ansible.builtin.debug: { msg: "{{ item }}" }
      changed_when: true
      loop: ["{{ password }}", "{{ key }}", { a: ["{{ password }}"] }]
    - name: Printed
      ansible.builtin.shell: |
        python3 -c "print('x' * 20000, end='')"; echo "$PASSWORD" | base64; echo "$KEY" >&2
      environment: { PASSWORD: "{{ password }}", KEY: "{{ key }}" }
    - name: Cut
      ansible.builtin.shell: |
        printf %s "$PASSWORD"; python3 -c "print('y' * (8192 - 5), end='')"
      environment: { PASSWORD: "{{ password }}" }
    - name: Delegated
      ansible.builtin.debug: { msg: [first, "{{ key }}"] }
      delegate_to: "{{ password }}"
    - name: Failed
      ansible.builtin.fail: { msg: "No access with {{ password }} and {{ key }}" }
`;
  const { task } = await run({ 'play.yml': play(tasks) }, { password, key: String(key) });
  const { runResults, failures, sections, progress } = task;
  const all = JSON.stringify([runResults, [...task.hosts], failures, [...sections], progress]);
  expect(runResults).toHaveLength(11);
  for (const secret of [password, Buffer.from(password).toString('base64'), ...keyLines]) {
    expect(all).not.toContain(secret);
  }
  // The output is cut within the password.
  const cut = only(task, 'Cut', 'one');
  expect([cut.is_cut, cut.output.startsWith('yyy'), cut.output.length]).toEqual([true, true, 8187]);
  expect(all).not.toContain(password.slice(-5));
  expect(only(task, 'Failed', 'one').message).toContain('No access with ********');
});
