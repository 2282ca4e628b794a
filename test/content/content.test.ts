// Slow: each repository is run twice by the real Ansible.
// Repositories of other people: a run by a runner ends as the same run by hand, host by host.

import { beforeAll, expect, test } from 'vitest';
import { realPrograms } from '../helpers/programs.ts';
import { startSshServer } from '../helpers/sshd.ts';
import { sshKey } from '../runner/given.ts';
import { testRunner, type TestRunner } from '../runner/test-runner.ts';
import { behindJumpHost, callbacks, layouts, printedBy } from './layouts.ts';
import { expectTheSame } from './same-ending.ts';

let runner: TestRunner;

beforeAll(async () => {
  runner = await testRunner({ config: { path: realPrograms }, shared: true });
  return () => runner.close();
});

test.each(Object.entries(layouts))('%s: ends as by hand', async (name, layout) => {
  await expectTheSame(runner, name, layout);
});

test.each(callbacks)('the output "%s" hides no result', async (callback) => {
  const { task } = await expectTheSame(runner, callback, printedBy(callback));
  expect([...task.hosts.values()]).toEqual([expect.objectContaining({ ok: 2, changed: 1 })]);
});

test('a host behind a jump host is reached as by hand, wherever the way to it is named', async () => {
  const [jump, behind] = [await startSshServer(), await startSshServer()];
  const key = await behind.allowKey('ed25519');
  await jump.allow(key);
  for (const [name, layout] of Object.entries(behindJumpHost(jump, behind))) {
    const { task } = await expectTheSame(runner, name, {
      ...layout,
      byHand: { ...layout.byHand, sshKey: key },
      given: { ...layout.given, user: sshKey(key, { login: behind.user }) },
    });
    expect([name, [...task.hosts.values()]]).toEqual([
      name,
      [expect.objectContaining({ ok: 2, failed: 0 })],
    ]);
  }
});
