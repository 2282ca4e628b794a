// Tests tasks in containers with a real podman, whose images have busybox only.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  containerSettings,
  startPodman,
  type TestPodman,
} from '../../../test/helpers/containers.ts';
import { isRunning } from '../../../test/helpers/processes.ts';
import { until } from '../../../test/helpers/until.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import type { ContainerConfig } from '../config/runner-config.ts';
import type { TaskInput } from '../../../test/runner/given.ts';

const image = 'localhost/small:1';
let podman: TestPodman;

beforeAll(() => {
  podman = startPodman();
  podman.makeImage(image, { programs: { bash: '#!/bin/sh\nexec sh "$@"\n' } });
}, 120_000);

afterAll(() => podman.close(), 120_000);

const runnerWith = (containers: Partial<ContainerConfig> = {}) =>
  testRunner({
    config: { path: podman.path, containers: { ...containerSettings, ...containers } },
  });

const inContainer = (script: string, given: TaskInput = {}): TaskInput => ({
  app: 'bash',
  playbook: 'run.sh',
  files: { 'run.sh': script },
  execution: { kind: 'container', image },
  ...given,
});

/** Settles when no container is left. */
const untilGone = () => until(() => podman.podman('ps', '--all', '--quiet') === '');

const stateOf = (): { Pid: number; ConmonPid: number } => {
  const [id = ''] = podman.podman('ps', '--quiet').split('\n');
  return JSON.parse(podman.podman('inspect', '--format', '{{json .State}}', id)) as {
    Pid: number;
    ConmonPid: number;
  };
};

function clientPid(): number {
  const name = podman.podman('ps', '--format', '{{.Names}}').trim();
  return Number(execFileSync('pgrep', ['-of', `podman run --interactive --name=${name}`]));
}

const endless = (words: string): string => `${words}\necho started\nwhile :; do sleep 0.2; done\n`;

test('a script runs with the programs of its image, in the files of its repository', async () => {
  const runner = await runnerWith();
  const { status, log, task } = await runner.run(inContainer('busybox | head -n 1; ls; exit 3\n'));
  expect(log).toContain('BusyBox');
  expect(log).toContain('run.sh');
  expect(log).toContain('exit code 3');
  expect(status).toBe('error');
  const { digest } = task.tools?.image ?? {};
  expect(digest).toBe(podman.podman('image', 'inspect', '--format', '{{.Digest}}', image).trim());
  await untilGone();
});

test('a container has nothing of the runner but the files of its task', async () => {
  const runner = await runnerWith();
  const { dataDir } = runner.config;
  const script = `ls -a ${dataDir}; ls ${dataDir}/runs; ls ${join(import.meta.dirname)} /root 2>&1\n`;
  const { log, task } = await runner.run(inContainer(script));
  const shown = log.split('\n').filter((line) => line.startsWith('runs') || /^\d+-/.test(line));
  expect(shown[0]).toBe('runs');
  expect(shown).toHaveLength(2);
  expect(shown[1]).toMatch(new RegExp(`^${task.id}-`));
  expect(log).toContain('No such file');
});

test('no secret is in what podman knows of a container, or keeps', async () => {
  const runner = await runnerWith();
  const secret = 'c0ntainer-s3cret';
  const given = inContainer(endless('test "$TOKEN" = c0ntainer-s3cret && echo known'), {
    secrets: { process: { TOKEN: secret } },
  });
  const task = await runner.launch(given);
  expect(await task.untilLogged('started')).toContain('known');
  const [id = ''] = podman.podman('ps', '--quiet').split('\n');
  expect(podman.podman('inspect', id)).not.toContain(secret);
  const found = execFileSync('sh', ['-c', `grep -rl ${secret} ${podman.folder}/.. || true`]);
  expect(String(found)).toBe('');
  const titles = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(titles.split('\n').filter((one) => one.includes(secret) && !one.includes('grep'))).toEqual(
    [],
  );
  task.stop(true);
  await task.untilFinished();
});

test('a stop lets the program end by itself, and its exit code stays unknown to nobody', async () => {
  const runner = await runnerWith();
  const task = await runner.launch(inContainer(endless("trap 'echo goodbye; exit 0' TERM")));
  await task.untilLogged('started');
  task.stop();
  const { status, log } = await task.untilFinished();
  expect(status).toBe('stopped');
  expect(log.match(/goodbye/g)).toHaveLength(1);
  await untilGone();
});

test('a forced stop ends a program that ignores TERM at once', async () => {
  const runner = await runnerWith();
  const task = await runner.launch(inContainer(endless("trap '' TERM")));
  await task.untilLogged('started');
  const { Pid } = stateOf();
  const begin = Date.now();
  task.stop(true);
  expect((await task.untilFinished()).status).toBe('stopped');
  expect(Date.now() - begin).toBeLessThan(5_000);
  expect(isRunning(Pid)).toBe(false);
  await untilGone();
});

test('a task goes on while its runner is restarted, and its whole log is kept', async () => {
  const runner = await runnerWith();
  const script =
    'i=0; while [ $i -lt 40 ]; do echo "line $i"; i=$((i+1)); sleep 0.05; done; exit 4\n';
  const task = await runner.launch(inContainer(script));
  await task.untilLogged('line 3');
  await runner.restart();
  const { status, log } = await task.untilFinished();
  expect(status).toBe('error');
  const numbers = [...log.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index));
  expect(log).toContain('exit code 4');
  await untilGone();
});

test.each([
  ['podman', clientPid],
  ['the monitor of the container', () => stateOf().ConmonPid],
])(
  'a task whose container lost %s ends, and nothing of it is left',
  async (_words, find) => {
    const runner = await runnerWith();
    const task = await runner.launch(inContainer(endless('')));
    await task.untilLogged('started');
    const { Pid } = stateOf();
    process.kill(find(), 'SIGKILL');
    const { status, log } = await task.untilFinished();
    expect(status).toBe('error');
    expect(log).toContain('The engine of the container ended before the program in it');
    await until(() => !isRunning(Pid));
    await untilGone();
  },
  120_000,
);

test('a task whose container is killed ends with that signal', async () => {
  const runner = await runnerWith();
  const task = await runner.launch(inContainer(endless('')));
  await task.untilLogged('started');
  process.kill(stateOf().Pid, 'SIGKILL');
  const { log } = await task.untilFinished();
  expect(log).toContain('SIGKILL');
  await untilGone();
});

test('containers of a runner that was killed are removed by the next one', async () => {
  const runner = await runnerWith();
  const task = await runner.launch(inContainer(endless('')));
  await task.untilLogged('started');
  await runner.restart(async () => {
    runner.store.forget(task.task.id);
  });
  await untilGone();
  expect(await readdir(join(runner.config.dataDir, 'runs'))).toEqual([]);
});

test('limits of memory hold, and the failure says so', async () => {
  const runner = await runnerWith();
  const given = inContainer('x=$(yes | head -c 200000000); echo survived\n', {
    execution: { kind: 'container', image, memory_limit_mib: 32 },
  });
  const { log } = await runner.run(given);
  expect(log).toContain('Limits of this task: memory 32 MiB');
  expect(log).toContain('more than the 32 MiB of memory');
  expect(log).not.toContain('survived');
  // Podman's monitor writes such a file into the folder in which podman was called.
  expect([existsSync('/oom'), existsSync('oom')]).toEqual([false, false]);
  await untilGone();
});

const mountOf = (source: string): TaskInput['execution'] => ({
  mounts: [{ source, target: '/x', read_only: true }],
});

const refusals: [string, TaskInput['execution'], string][] = [
  ['a network', { network: 'host' }, 'SIGNALBOX_CONTAINER_NETWORKS'],
  ['a mount', mountOf('/etc'), 'SIGNALBOX_CONTAINER_MOUNTS'],
  ['what lies below an allowed mount', mountOf('/srv/allowed/link'), 'SIGNALBOX_CONTAINER_MOUNTS'],
  ['a user', { user: '1000:1000' }, 'SIGNALBOX_CONTAINER_USERS'],
];

test.each(refusals)(
  '%s that the administrator does not allow is refused',
  async (_, option, setting) => {
    const runner = await runnerWith({ mounts: ['/srv/allowed'] });
    const execution = { kind: 'container' as const, image, ...option };
    const { status, log } = await runner.run(inContainer('echo ran\n', { execution }));
    expect(status).toBe('error');
    expect(log).toContain(setting);
    expect(log).not.toContain('\nran');
  },
);

test('a mount that the administrator allows is there, and can only be read', async () => {
  const allowed = join(import.meta.dirname);
  const runner = await runnerWith({ mounts: [allowed] });
  const mounts = [{ source: allowed, target: '/given', read_only: true }];
  const execution = { kind: 'container' as const, image, mounts };
  const script = 'ls /given; touch /given/made 2>&1\n';
  const { log } = await runner.run(inContainer(script, { execution }));
  expect(log).toContain('container.test.ts');
  expect(log).toContain('Read-only');
});

/** Only a podman without root gives the files of a task to another user. */
const ofUser = process.getuid?.() === 0 ? 'failure.container_user' : undefined;

const unusable: [string, Partial<ContainerConfig>, TaskInput['execution'], string | undefined][] = [
  ['a mount', { mounts: ['/srv/nothing'] }, mountOf('/srv/nothing'), 'failure.container_mount'],
  ['a network', { networks: ['nowhere'] }, { network: 'nowhere' }, 'failure.container_start'],
  ['a user', { users: ['1234:1234'] }, { user: '1234:1234' }, ofUser],
];

test.each(unusable)(
  '%s that is allowed but cannot be had is told',
  async (_, containers, option, code) => {
    const runner = await runnerWith(containers);
    const execution = { kind: 'container' as const, image, ...option };
    const { task } = await runner.run(inContainer('echo ran\n', { execution }));
    expect(task.failure?.code).toBe(code);
    await untilGone();
  },
);
