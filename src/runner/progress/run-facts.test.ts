// Slow: playbooks with the real Ansible.
// What a run tells of the facts of its hosts.

import { expect, test } from 'vitest';
import { newCanary } from '../../../test/helpers/canaries.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const inventory = 'one ansible_connection=local\ntwo ansible_connection=local\n';

async function factsOf(files: Record<string, string>, hostFacts: string[], more: object = {}) {
  const runner = await testRunner({ config: { path: realPrograms } });
  const { task, status, log } = await runner.run({ files, inventory, hostFacts, ...more });
  expect([status, log]).toEqual(['success', expect.any(String)]);
  return { facts: task.facts, log };
}

const subset = `
    - ansible.builtin.setup: { gather_subset: ['!all', '!min', 'python', 'local'], fact_path: "{{ playbook_dir }}/facts" }
`;
const play = (tasks: string): string => `
- hosts: all
  gather_facts: false
  tasks:
${tasks}`;

test('the facts that are kept are told, as text, and no other variable', async () => {
  const files = {
    'facts/app.fact': '{ "version": 3, "parts": { "b": [1, 2], "a": "x" } }',
    'play.yml': play(`${subset}
    - ansible.builtin.set_fact: { password: mine, kernel: "invented" }
`),
  };
  const names = ['python.type', 'local.app.version', 'local.app.parts', 'password', 'kernel'];
  const { facts } = await factsOf(files, [...names, 'local.none.of.it', 'python.type.more']);
  expect([...facts.keys()].toSorted()).toEqual(['one', 'two']);
  expect(facts.get('one')).toEqual({
    'python.type': 'cpython',
    'local.app.version': '3',
    'local.app.parts': expect.stringMatching(/^\{.*"b": \[1, 2\].*\}$/),
  });
});

test('secrets are hidden in facts, long values are cut, and no_log hides all of them', async () => {
  const secret = newCanary();
  const files = {
    'facts/app.fact': JSON.stringify({ key: `<${secret}>`, long: 'y'.repeat(5000) }),
    'play.yml': play(subset),
  };
  const names = ['local.app.key', 'local.app.long'];
  const { facts, log } = await factsOf(files, names, { secretAnswers: { token: secret } });
  expect(log).not.toContain(secret);
  const told = facts.get('one') ?? {};
  expect(told['local.app.key']).toMatch(/^<\*+>$/);
  expect(told['local.app.long']).toMatch(/^y{900,999}…$/);
  const hidden = play(`${subset.trimEnd()}\n      no_log: true\n`);
  expect((await factsOf({ ...files, 'play.yml': hidden }, names)).facts.size).toBe(0);
});

test('gathering at the begin of a play tells them; nothing is told where none are kept', async () => {
  const files = { 'play.yml': '- hosts: one\n  gather_subset: ["!all"]\n  tasks: []\n' };
  const { facts } = await factsOf(files, ['kernel', 'architecture']);
  expect(Object.keys(facts.get('one') ?? {})).toEqual(['kernel', 'architecture']);
  expect((await factsOf(files, [])).facts.size).toBe(0);
});

test('the facts of a delegated task belong to the host that Ansible gives them to', async () => {
  const files = {
    'play.yml': `
- hosts: one
  gather_facts: false
  tasks:
    - ansible.builtin.setup: { gather_subset: ['!all', '!min', 'python'] }
      delegate_to: two
      delegate_facts: true
- hosts: two
  gather_facts: false
  tasks:
    - ansible.builtin.ping:
`,
  };
  const { facts } = await factsOf(files, ['python.type']);
  expect([...facts.keys()]).toEqual(['two']);
});

test('each item of a loop tells the facts of the host that it was delegated to', async () => {
  const loop = (more: string) => ({
    'play.yml': `
- hosts: one
  gather_facts: false
  tasks:
    - ansible.builtin.setup: { gather_subset: ['!all', '!min', 'python'] }
      loop: [one, two]
      delegate_to: "{{ item }}"
      ${more}
`,
  });
  const given = await factsOf(loop('delegate_facts: true'), ['python.type']);
  expect([...given.facts.keys()].toSorted()).toEqual(['one', 'two']);
  expect(given.facts.get('two')).toEqual({ 'python.type': 'cpython' });
  // Without it Ansible gives them to the host of the play.
  const kept = await factsOf(loop('when: true'), ['python.type']);
  expect([...kept.facts.keys()]).toEqual(['one']);
  const hidden = await factsOf(loop('no_log: true'), ['python.type']);
  expect(hidden.facts.size).toBe(0);
});
