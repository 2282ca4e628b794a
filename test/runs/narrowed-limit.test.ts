// A run of Ansible that is confined to some hosts of an earlier one.

import { expect, test } from 'vitest';
import { narrowLimit } from '../../src/server/automation/tasks/launch/narrow-limit.ts';
import { realPrograms } from '../helpers/programs.ts';
import { gitRepository } from '../helpers/seed.ts';
import { testRunner } from '../runner/test-runner.ts';

const playbook = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug: { msg: "on <{{ inventory_hostname }}>" }
`;

const names = Array.from({ length: 400 }, (_, index) => `node-${index}.a-long-domain.example.com`);
const inventory = {
  type: 'static',
  inventory: `[web]\n${names.join('\n')}\n[db]\ndb1\ndb2\n[all:vars]\nansible_connection=local\n`,
} as const;

const reached = (log: string): string[] =>
  [...log.matchAll(/on <(.+?)>/g)].map(([, host]) => host ?? '').toSorted();

test('a limit of thousands of hosts goes through a file, together with files that it names', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const repository = await gitRepository({
    'play.yml': playbook,
    'again.retry': 'db1\nnode-7.a-long-domain.example.com\n',
  });
  const run = (limit: string) => runner.run({ repository, inventory, limit });
  // All but two are excluded, so that the run itself is short.
  const few = narrowLimit(`web,!~node-(?!7\\.|8\\.)`, names);
  const { status, log } = await run(few);
  expect([status, reached(log)]).toEqual(['success', [names[7], names[8]]]);
  expect(log).toMatch(/--limit=@\S+,/);
  const file = await run(narrowLimit('@again.retry', names));
  expect([file.status, reached(file.log)]).toEqual(['success', [names[7]]]);
});

test('a limit that leaves no host runs on none, and the task fails and says so', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const repository = await gitRepository({ 'play.yml': playbook });
  const limit = narrowLimit('db', ['gone']);
  const { status, log } = await runner.run({ repository, inventory, limit });
  expect([status, reached(log)]).toEqual(['error', []]);
  expect(log).toContain('--limit leaves us with no hosts to target');
});
