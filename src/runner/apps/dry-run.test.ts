// Whether a run of Ansible is a dry run is what Ansible itself says, with the real program.

import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const playbook = 'site.yml';
const content = '- hosts: localhost\n  gather_facts: false\n  tasks: [{ debug: { msg: one } }]\n';

test('a dry run is one whatever asks for it, and only then', { timeout: 180_000 }, async () => {
  const runner = await testRunner({ config: { path: realPrograms } });
  const repository = await gitRepository({ [playbook]: content });
  const isDry = async (given: { dryRun?: boolean; arguments?: string[] }) => {
    const task = await runner.run({ repository, playbook, ...given });
    expect([task.status, task.log]).toEqual(['success', task.log]);
    return task.task.isDryRun ?? false;
  };
  expect(await isDry({})).toBe(false);
  expect(await isDry({ dryRun: true })).toBe(true);
  expect(await isDry({ arguments: ['-vC'] })).toBe(true);
  expect(await isDry({ arguments: ['--chec'] })).toBe(true);
  // A value, and no option.
  expect(await isDry({ arguments: ['-e', 'note=--check'] })).toBe(false);
});
