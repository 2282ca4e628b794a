// Runs playbooks with each version of Ansible in an execution environment that the runner builds, with packages of
// PyPI, and compares the results with those of the same version by hand.

import { symlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { layouts } from '../../content/layouts.ts';
import { expectTheSame } from '../../content/same-ending.ts';
import { folder } from '../../helpers/seed.ts';
import { toolsEnvironment } from '../../runner/execution-environment.ts';
import { testRunner, type TestRunner } from '../../runner/test-runner.ts';
import { plays } from './plays.ts';
import { ansibles, findPython, systemPath, uvFolder } from './versions.ts';

const environmentOf = (version: string, python: string) => {
  const program = findPython(python);
  return toolsEnvironment({
    name: `ansible-core ${version}`,
    packages: [`ansible-core==${version}`, 'netaddr'],
    python: isAbsolute(program) ? program : python,
  });
};

describe.each(ansibles)('ansible-core $version as tools', ({ version, python, path }) => {
  let runner: TestRunner;
  const executionEnvironment = environmentOf(version, python);
  beforeAll(async () => {
    runner = await testRunner({ config: { path: systemPath }, shared: true });
    return () => runner.close();
  });

  test.each(Object.entries({ ...layouts, ...plays }))(
    '%s: ends as by hand',
    async (name, layout) => {
      const { task } = await expectTheSame(runner, name, {
        ...layout,
        byHand: { path, ...layout.byHand },
        given: { ...layout.given, executionEnvironment },
      });
      const { programs, requirements } = task.tools ?? { programs: [], requirements: [] };
      expect(programs).toContainEqual({ name: 'ansible', version });
      expect(requirements.map((one) => one.name)).toContain('netaddr');
    },
  );
});

test('uv installs an environment that runs a playbook', async () => {
  const bin = await folder();
  await symlink(join(uvFolder, 'uv'), join(bin, 'uv'));
  const runner = await testRunner({ config: { path: `${bin}:${systemPath}` } });
  const { version, python, path } = ansibles.at(-1) ?? { version: '', python: '', path: '' };
  const { log } = await expectTheSame(runner, 'loops', {
    ...plays.loops,
    byHand: { path },
    given: { executionEnvironment: environmentOf(version, python) },
  });
  expect(log).toContain('installing its packages with uv');
  const executionEnvironment = toolsEnvironment({ packages: ['ansible-core==0.0.1'] });
  const { task } = await runner.run({ executionEnvironment });
  expect(task.failure).toEqual({
    code: 'failure.tools_packages',
    params: { name: 'Tools', reason: expect.stringMatching(/no version of ansible-core==0\.0\.1/) },
  });
});
