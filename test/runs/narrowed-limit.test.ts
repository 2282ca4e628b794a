// Slow: runs of the real Ansible.
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

test('a run that would reach more hosts than those it is confined to ends before its first play', async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const files = { 'play.yml': playbook };
  const run = (text: string, of: string, hosts: string[]) =>
    runner.run({
      files,
      inventory: `${text}\n[all:vars]\nansible_connection=local\n`,
      limit: narrowLimit(of, hosts),
      narrowed: { limit: of, hosts },
    });
  // The name of a host and of a group that has another host of the limit.
  const both = 'db\n[web]\nweb[1:3]\n[db]\nweb2\n';
  const one = await run(both, 'web[0:1],db', ['db']);
  expect([one.status, reached(one.log)]).toEqual(['success', ['db']]);
  const wide = await run(both, 'web[0:1],db', ['db', 'web1']);
  expect([wide.status, reached(wide.log)]).toEqual(['error', []]);
  expect(wide.task.failure).toEqual({ code: 'failure.hosts_beyond', params: { hosts: 'web2' } });
  expect(wide.log).not.toContain('PLAY [');
  expect(wide.log).toContain('would reach more hosts than those');

  // The limit was a group when the task ran, and is a host now.
  const moved = await run('web1\ndb\n[db]\nweb1\n', 'db', ['web1']);
  expect(moved.task.failure).toEqual({ code: 'failure.hosts_beyond', params: { hosts: 'web1' } });
  // The chosen host has left, and a group has its name.
  const gone = await run('web1\n[db]\nweb1\n', '', ['db']);
  expect(gone.task.failure).toEqual({ code: 'failure.hosts_beyond', params: { hosts: 'web1' } });
  const many = Array.from({ length: 3000 }, (_, index) => `node-${index}.example.com`);
  const all = await run(`web1\n${many.join('\n')}\n[db]\nweb1\n`, 'all', ['db', ...many]);
  expect(all.task.failure).toEqual({ code: 'failure.hosts_beyond', params: { hosts: 'web1' } });
});
