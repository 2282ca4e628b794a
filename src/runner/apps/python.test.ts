// Slow: virtual environments are made, and packages are built and installed.
// Real Python, with a package that the test builds itself: no index is asked for anything.
// It does what scripts.md in the guide says of packages.

import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickPython } from '../../../test/helpers/quick-python.ts';
import { makeGreetingWheel } from '../../../test/helpers/python-wheel.ts';
import { commitFiles, git, folder } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

const script = `
import sys, greeting
print(greeting.hello("world"), sys.argv[1:], sys.prefix != sys.base_prefix)
`;

/** A task whose script needs a package of its repository. */
async function needy() {
  const repository = await folder();
  await git(repository, 'init', '--quiet');
  makeGreetingWheel(repository);
  await commitFiles(repository, {
    'tools/main.py': script,
    'tools/requirements.txt': './greeting-1.0-py3-none-any.whl\n',
  });
  return { app: 'python', playbook: 'tools/main.py', repository };
}

const quick = () => ({ program: { path: quickPython(), args: [] } });

test('packages of a requirements.txt are installed once, also by runs at once, and kept', async () => {
  const runner = await testRunner();
  const task = await needy();
  const both = [await runner.launch(task), await runner.launch(task)];
  for (const one of both) await one.untilFinished();
  const third = await runner.run(task);
  const logs = [...both.map(({ log }) => log()), third.log];
  for (const log of logs) expect(log).toContain('hello world [] True');
  const installing = logs.filter((log) => log.includes('installing packages'));
  const kept = logs.filter((log) => log.includes('packages are installed already'));
  expect([installing.length, kept.length]).toEqual([1, 2]);
});

test('what a crash left of an installation is not used', async () => {
  const runner = await testRunner();
  const task = { ...(await needy()), ...quick() };
  await runner.run(task);
  const venvs = join(runner.config.dataDir, 'venvs');
  const [name = ''] = await readdir(venvs);
  await rm(join(venvs, name, 'complete'));
  await rm(join(venvs, name, 'bin/python'));
  expect((await runner.run(task)).log).toContain('hello world [] True');
});

test('packages that cannot be installed end the task before its script', async () => {
  const runner = await testRunner();
  const { status, log } = await runner.run({
    app: 'python',
    ...quick(),
    playbook: 'main.py',
    files: {
      'main.py': 'print("ran")\n',
      'requirements.txt': './missing-1.0-py3-none-any.whl\n',
    },
  });
  expect(status).toBe('error');
  expect(log).toContain('Installing the packages of requirements.txt failed.');
  expect(log).not.toMatch(/^ran$/m);
});

test('a script without requirements runs with the Python of the server', async () => {
  const runner = await testRunner();
  const { log } = await runner.run({
    app: 'python',
    playbook: 'main.py',
    files: {
      'main.py':
        'import os, sys\nprint(sys.argv[1:], os.environ["word"], sys.prefix == sys.base_prefix)\n',
    },
    answers: { word: 'x y' },
  });
  expect(log).toContain('[] x y True');
});

test('packages are installed at each run, or never, if the template says so', async () => {
  const runner = await testRunner();
  const task = { ...(await needy()), ...quick() };
  for (const _ of [1, 2]) {
    const { log } = await runner.run({ ...task, installRequirements: 'always' });
    expect(log).toContain('tools/requirements.txt: installing packages');
    expect(log).toContain('hello world [] True');
  }
  const { status, log } = await runner.run({ ...task, installRequirements: 'never' });
  expect(status).toBe('error');
  expect(log).toContain(
    'tools/requirements.txt: not installed, as the settings of the template say',
  );
  expect(log).toContain("No module named 'greeting'");
});

test('packages are installed again for another Python behind the same program', async () => {
  const runner = await testRunner();
  const task = await needy();
  const program = join(await folder(), 'python');
  const leadTo = async (version: string): Promise<void> => {
    const says = `if [ "$1" = -c ]; then echo ${version}; exit; fi`;
    await writeFile(program, `#!/bin/sh\n${says}\nexec ${quickPython()} "$@"\n`, { mode: 0o755 });
  };
  const run = async () => (await runner.run({ ...task, program: { path: program, args: [] } })).log;
  await leadTo('3.11.2');
  expect(await run()).toContain('installing packages');
  expect(await run()).toContain('packages are installed already');
  await leadTo('3.13.0');
  expect(await run()).toContain('installing packages');
});
