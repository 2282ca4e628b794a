// Tests the protocol between the two containers of a pod: the shell of the main one runs on this machine.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeGate } from '../../../test/helpers/gate.ts';
import { isRunning } from '../../../test/helpers/processes.ts';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { commitFiles, folder, git } from '../../../test/helpers/seed.ts';
import { until } from '../../../test/helpers/until.ts';
import type { TaskInput } from '../../../test/runner/given.ts';
import { toolsEnvironment } from '../../../test/runner/execution-environment.ts';
import { testRunner, type TestRunnerOptions } from '../../../test/runner/test-runner.ts';
import { supervisorScript } from '../supervisor/supervisor.ts';
import { endMain, giveSupervisor } from './main-container.ts';
import { mainScript } from './main-script.ts';

interface StartedMain {
  folder: string;
  child: ChildProcess;
}

/** Starts what the main container runs. */
async function startMain(main: string): Promise<StartedMain> {
  await giveSupervisor(main, supervisorScript);
  const env = { PATH: realPrograms, IN_POD: 'yes' };
  const child = spawn('/bin/sh', ['-c', mainScript(main)], {
    env,
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { folder: main, child };
}

async function podRunner(options: TestRunnerOptions = {}) {
  const main = await startMain(await folder());
  const config = { path: realPrograms, podFolder: main.folder, ...options.config };
  return { main, runner: await testRunner({ ...options, config }) };
}

const inPod = (script: string, given: TaskInput = {}): TaskInput => ({
  app: 'bash',
  playbook: 'run.sh',
  files: { 'run.sh': script },
  execution: { kind: 'pod', image: 'localhost/small:1' },
  ...given,
});

test('a program runs in the main container, with its variables and its exit code', async () => {
  const { runner } = await podRunner();
  const { status, log } = await runner.run(inPod('echo "in pod: $IN_POD"; ls; exit 3\n'));
  expect(log).toContain('in pod: yes');
  expect(log).toContain('run.sh');
  expect(log).toContain('exit code 3');
  expect(status).toBe('error');
});

test('secrets reach the program, and no file of the containers has them', async () => {
  const { main, runner } = await podRunner();
  const gate = await makeGate();
  const task = await runner.launch(
    inPod(`echo begun; ${gate.wait}; for a; do case $a in *@*) cat "\${a#*@}";; esac; done\n`, {
      secretAnswers: { token: 'canary-in-pod' },
    }),
  );
  await task.untilLogged('\nbegun');
  for (const name of await readdir(main.folder)) {
    if (name === 'requests') continue;
    expect(await readFile(join(main.folder, name), 'utf8')).not.toContain('canary');
  }
  await gate.open();
  const { log } = await task.untilStatus('success');
  expect(log).not.toContain('canary');
  await until(async () => (await readdir(join(runner.config.dataDir, 'runs'))).length === 0);
});

test('a stop lets the program end by itself, and what it has started is killed', async () => {
  const place = await folder();
  const { runner } = await podRunner();
  const script = `trap 'echo saved >"${place}/state"; exit' TERM
(trap '' TERM; echo $BASHPID >"${place}/pid"; while :; do sleep 0.2; done) &
echo begun
while :; do sleep 0.1; done
`;
  const task = await runner.launch(inPod(script));
  await task.untilLogged('\nbegun');
  const pid = await until(async () =>
    Number(await readFile(join(place, 'pid'), 'utf8').catch(() => '')),
  );
  task.stop();
  await task.untilStatus('stopped');
  expect(await readFile(join(place, 'state'), 'utf8')).toBe('saved\n');
  expect(isRunning(pid)).toBe(false);
});

test('a program goes on while the side-car is replaced', async () => {
  const { runner } = await podRunner();
  const gate = await makeGate();
  const task = await runner.launch(inPod(`echo begun; ${gate.wait}; echo later\n`));
  await task.untilLogged('\nbegun');
  await runner.restart(() => gate.open());
  const { log } = await task.untilStatus('success');
  expect(log.match(/^later$/gm)).toHaveLength(1);
});

test('a repository whose objects are named by SHA-256 is fetched', async () => {
  const repository = await folder();
  await git(repository, 'init', '--quiet', '--object-format=sha256');
  const hash = await commitFiles(repository, { 'run.sh': 'git rev-parse HEAD\n' }, 'First');
  const { runner } = await podRunner();
  const { status, log } = await runner.run(inPod('', { repository }));
  expect([status, log]).toEqual(['success', expect.stringContaining(`\n${hash}`)]);
});

test('a task waits until the main container has its image', async () => {
  const main = await folder();
  const runner = await testRunner({ config: { path: realPrograms, podFolder: main } });
  const task = await runner.launch(inPod('echo hello\n'));
  await task.untilLogged('Task');
  await startMain(main);
  const { log } = await task.untilStatus('success');
  expect(log).toMatch(/^hello$/m);
});

test('Ansible runs in the main container', async () => {
  const { runner } = await podRunner();
  const files = {
    'play.yml':
      "[{ hosts: all, gather_facts: false, tasks: [{ debug: { msg: \"{{ lookup('env', 'IN_POD') }}\" } }] }]\n",
  };
  const task: TaskInput = { files, execution: { kind: 'pod', image: 'localhost/small:1' } };
  const { log } = await runner.run(task);
  expect(log).toContain('"msg": "yes"');
});

test('the state of Terraform is not thrown away with the pod', async () => {
  const { runner } = await podRunner();
  const fake = await folder();
  // As Terraform does after an init without a backend: it records none.
  await writeFile(join(fake, 'terraform'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const files = { 'main.tf': 'resource "terraform_data" "one" {}\n' };
  const task = await runner.launch({
    app: 'terraform',
    playbook: '',
    files,
    program: { path: join(fake, 'terraform'), args: [] },
    execution: { kind: 'pod', image: 'localhost/small:1' },
  });
  const { log } = await task.untilFinished();
  expect(log).toContain('The state of Terraform would be lost with the pod of this task.');
});

test('the main container ends when the task has', async () => {
  const { main, runner } = await podRunner();
  await runner.run(inPod('true\n'));
  const ended = new Promise((resolve) => main.child.once('exit', resolve));
  await endMain(main.folder);
  expect(await ended).toBe(0);
  // A second request finds nobody and does not wait for one.
  await endMain(main.folder);
  expect(existsSync(main.folder)).toBe(true);
});

test.each(['pod', 'of-a-later-version'])(
  'a runner that does not know the kind %s says so, and runs nothing',
  async (kind) => {
    const runner = await testRunner({ config: { path: realPrograms } });
    const executionEnvironment = toolsEnvironment({ name: 'Other', kind: kind as 'pod' });
    const { task, log } = await runner.run({
      app: 'bash',
      playbook: 'run.sh',
      files: { 'run.sh': 'echo ran\n' },
      executionEnvironment,
    });
    expect(task.failure).toEqual({
      code: 'failure.execution_kind',
      params: { name: 'Other', kind },
    });
    expect(log).not.toMatch(/^ran$/m);
  },
);
