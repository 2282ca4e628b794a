import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/helpers/until.ts';
import { listProcesses, markName, type SeenProcess } from './processes.ts';

const find = async (pid: number): Promise<SeenProcess | undefined> =>
  (await listProcesses())?.find((seen) => seen.pid === pid);

function start(script: string, env: Record<string, string> = {}, shell = '/bin/sh'): number {
  const child = spawn(shell, ['-c', script], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: 'ignore',
    detached: true,
  });
  const pid = child.pid ?? 0;
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
  return pid;
}

test('a process is found with its mark and its group, however often the processes are listed', async () => {
  const pid = start('sleep 1000; :', { [markName]: 'run-1', MORE: 'x'.repeat(100_000) });
  for (let round = 0; round < 3; round += 1) {
    expect(await find(pid)).toMatchObject({ pid, group: pid, marks: ['run-1'] });
  }
});

test('what a process without a mark starts with one is found', async () => {
  const pid = start(`read -r line </dev/null; sleep 0.5; ${markName}=run-2 sleep 1000; :`);
  expect((await find(pid))?.marks).toEqual([]);
  expect((await find(pid))?.marks).toEqual([]);
  const marked = await until(async () => {
    const all = (await listProcesses()) ?? [];
    return all.find(({ marks }) => marks.includes('run-2')) ?? null;
  });
  expect(marked).toMatchObject({ group: pid });
});

const title = 'ssh: /runs/run-3/mux [mux]';

/** A process that replaces its environment and its title, as a kept connection of ssh does. */
function startConnection(pause: string): { pid: number; hasBegun: () => Promise<boolean> } {
  const script = `${pause}; unset ${markName}; exec -a '${title}' sleep 1000`;
  const pid = start(script, { [markName]: 'run-3' }, '/bin/bash');
  const hasBegun = async () => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith(title);
  return { pid, hasBegun };
}

test('a kept connection of ssh has its title, however often the processes are listed', async () => {
  const { pid, hasBegun } = startConnection(':');
  await until(hasBegun);
  for (let round = 0; round < 3; round += 1) {
    expect(await find(pid)).toMatchObject({ marks: [], title: expect.stringContaining('/run-3/') });
  }
});

test('a process that was seen with its mark keeps it, whatever becomes of its environment', async () => {
  const { pid, hasBegun } = startConnection('sleep 0.3');
  expect((await find(pid))?.marks).toEqual(['run-3']);
  await until(hasBegun);
  expect((await find(pid))?.marks).toEqual(['run-3']);
});

test('a process is no longer listed after its end, and threads of the kernel never are', async () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  expect(await find(pid)).toMatchObject({ pid });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await find(pid)).toBeUndefined();
  expect(await find(2)).toBeUndefined();
});
