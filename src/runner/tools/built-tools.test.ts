// Slow: environments of Python are made, and packages are installed.
// Real Python with packages that the tests make, from an index on this machine.

import { existsSync } from 'node:fs';
import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPackageIndex } from '../../../test/helpers/package-index.ts';
import { fakePrograms } from '../../../test/helpers/programs.ts';
import { quickPython } from '../../../test/helpers/quick-python.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import type { TaskInput } from '../../../test/runner/given.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { clearCaches } from '../runs/clear-caches.ts';
import { sweepCaches } from '../prepare/caches.ts';

const longTime = 180_000;
const noUser = { repositories: [], since: Infinity };

async function setUp() {
  const index = await startPackageIndex();
  for (const version of ['1.0', '2.0']) index.add('greeting', version);
  const runner = await testRunner();
  const environments = join(runner.config.dataDir, 'environments');
  return {
    index,
    runner,
    environments,
    /** A task with these packages that prints which greeting it finds. */
    task: (...packages: string[]): TaskInput => ({
      app: 'bash',
      files: { 'play.yml': 'greeting; python3 -c "import sys; print(sys.prefix)"\n' },
      executionEnvironment: toolsEnvironment({
        packages,
        index_url: index.url,
        python: quickPython(),
      }),
    }),
    entries: () => readdir(environments),
  };
}

test(
  'packages are installed once, also by tasks at once, and kept until the list changes',
  { timeout: longTime },
  async () => {
    const { index, runner, task, entries } = await setUp();
    const release = index.hold();
    const first = await runner.launch(task('greeting==1.0'));
    // What pip prints is there while it runs.
    await first.untilLogged('Looking in indexes: http://127.0.0.1');
    const second = await runner.launch(task('greeting==1.0'));
    await second.untilLogged('waiting for another task, which installs its packages');
    release();
    const both = [await first.untilFinished(), await second.untilFinished()];
    const third = await runner.run(task('greeting==1.0'));
    for (const { status, log } of [...both, third]) {
      expect([status, log]).toEqual(['success', expect.stringMatching(/^greeting 1\.0 /m)]);
    }
    const installing = [...both, third].filter(({ log }) =>
      log.includes('installing its packages with'),
    );
    expect(installing).toHaveLength(1);
    expect(third.log).toContain('packages are installed already');
    expect(index.seen.filter((path) => path.startsWith('/files'))).toHaveLength(1);
    expect(await entries()).toHaveLength(1);
    const other = await runner.run(task('greeting==2.0'));
    expect(other.log).toMatch(/^greeting 2\.0 /m);
    // Their order is no change.
    const more = await runner.run(task('greeting==2.0', 'greeting>1'));
    expect((await runner.run(task('greeting>1', 'greeting==2.0'))).log).toContain(
      'installed already',
    );
    expect(more.status).toBe('success');
    expect(await entries()).toHaveLength(3);
  },
);

test(
  'its Python and packages are those of the task, and recorded',
  { timeout: longTime },
  async () => {
    const { runner, task, environments } = await setUp();
    const given = { ...task('greeting==1.0'), app: 'python' };
    const files = {
      'play.yml':
        'import os, sys, greeting\nprint(greeting.version, os.environ["VIRTUAL_ENV"] == sys.prefix)\n',
    };
    const { status, log, task: stored } = await runner.run({ ...given, files });
    expect([status, log]).toEqual(['success', expect.stringContaining('1.0 True')]);
    expect(stored.tools?.requirements).toContainEqual({
      kind: 'package',
      name: 'greeting',
      version: '1.0',
    });
    const [entry = ''] = await readdir(environments);
    expect(await readFile(join(environments, entry, 'build.log'), 'utf8')).toMatch(
      /Successfully installed .*greeting-1\.0/,
    );
    expect(
      (await readdir(join(environments, entry)))
        .filter((name) => !name.startsWith('build-'))
        .toSorted(),
    ).toEqual(['build.log', 'complete']);
  },
);

test(
  'packages that cannot be installed say why, and leave the others alone',
  { timeout: longTime },
  async () => {
    const { index, runner, task, environments, entries } = await setUp();
    await runner.run(task('greeting==1.0'));
    const { status, log, task: stored } = await runner.run(task('greeting==9.9'));
    expect(status).toBe('error');
    expect(log).toContain('installing its packages with pip and Python 3');
    expect(stored.failure).toEqual({
      code: 'failure.tools_packages',
      params: { name: 'Tools', reason: 'ERROR: No matching distribution found for greeting==9.9' },
    });
    expect(log).not.toContain('Command: bash');
    // Its log is kept, and nothing else.
    const failed = (await entries()).filter(
      (entry) => !existsSync(join(environments, entry, 'complete')),
    );
    expect(failed).toHaveLength(1);
    expect(await readdir(join(environments, failed[0] ?? ''))).toEqual(['build.log']);
    expect((await runner.run(task('greeting==1.0'))).log).toContain(
      'packages are installed already',
    );
    index.add('greeting', '9.9');
    expect((await runner.run(task('greeting==9.9'))).log).toMatch(/^greeting 9\.9 /m);
  },
);

test(
  'a stop ends the installation, and the next task begins it again',
  { timeout: longTime },
  async () => {
    const { index, runner, task, environments, entries } = await setUp();
    const release = index.hold();
    const first = await runner.launch(task('greeting==1.0'));
    await first.untilLogged('Looking in indexes');
    const second = await runner.launch(task('greeting==1.0'));
    await second.untilLogged('waiting for another task');
    first.stop();
    expect((await first.untilFinished()).status).toBe('stopped');
    await second.untilLogged('installing its packages with');
    release();
    const { status, log } = await second.untilFinished();
    expect([status, log]).toEqual(['success', expect.stringMatching(/^greeting 1\.0 /m)]);
    const [entry = '', ...others] = await entries();
    expect(others).toEqual([]);
    expect(
      (await readdir(join(environments, entry))).filter((name) => name.startsWith('build-')),
    ).toHaveLength(1);
  },
);

test(
  'a restart of the runner during the installation begins it again',
  { timeout: longTime },
  async () => {
    const { index, runner, task } = await setUp();
    const release = index.hold();
    const launched = await runner.launch(task('greeting==1.0'));
    await launched.untilLogged('Looking in indexes');
    await runner.restart(async () => release());
    const { status, log } = await launched.untilFinished();
    expect([status, log]).toEqual(['success', expect.stringMatching(/^greeting 1\.0 /m)]);
  },
);

test('packages whose Python is gone are installed again', { timeout: longTime }, async () => {
  const { runner, task, environments } = await setUp();
  await runner.run(task('greeting==1.0'));
  const [entry = ''] = await readdir(environments);
  const name = await readFile(join(environments, entry, 'complete'), 'utf8');
  await rm(join(environments, entry, name, 'bin/python'));
  const { log } = await runner.run(task('greeting==1.0'));
  expect(log).toContain('installing its packages with');
  expect(log).toMatch(/^greeting 1\.0 /m);
});

test(
  'packages are kept while tasks use them, and removed after a month or on request',
  { timeout: longTime },
  async () => {
    const { runner, task, environments, entries } = await setUp();
    await runner.run(task('greeting==1.0'));
    const [entry = ''] = await entries();
    const past = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    await utimes(join(environments, entry), past, past);
    await runner.run(task('greeting==1.0'));
    await sweepCaches(runner.config);
    expect(await entries()).toEqual([entry]);
    await utimes(join(environments, entry), past, past);
    await sweepCaches(runner.config);
    expect(await entries()).toEqual([]);
    await runner.run(task('greeting==1.0'));
    await clearCaches(runner.config, () => noUser);
    expect(await entries()).toEqual([]);
  },
);

test(
  'variables of the task do not reach the installation, which other tasks use',
  { timeout: longTime },
  async () => {
    const { runner, task } = await setUp();
    const env = JSON.stringify({
      PIP_INDEX_URL: 'http://127.0.0.1:9/',
      PIP_REQUIREMENT: '/nowhere',
      PATH: '/nowhere',
    });
    const { log } = await runner.run({
      ...task('greeting==1.0'),
      env,
      program: { path: '/bin/sh', args: [] },
    });
    expect(log).toContain('packages are installed');
  },
);

test('a runner without a fitting Python says which it has', { timeout: longTime }, async () => {
  const runner = await testRunner({ config: { path: fakePrograms } });
  const failureOf = async (python: string) => {
    const executionEnvironment = toolsEnvironment({ packages: ['greeting'], python });
    return (await runner.run({ app: 'bash', executionEnvironment })).task.failure;
  };
  expect(await failureOf('3.99')).toEqual({
    code: 'failure.python_missing',
    params: { name: 'Tools', python: '3.99', found: expect.stringMatching(/^3\.\d+\.\d+/) },
  });
  expect(await failureOf('/bin/true')).toEqual({
    code: 'failure.python_path',
    params: { name: 'Tools', python: '/bin/true' },
  });
  expect((await failureOf('/nowhere/python'))?.code).toBe('failure.python_path');
});
