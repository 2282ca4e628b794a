// The limits of tasks on a machine whose control groups no systemd hands to the runner, as in a test.

import { expect, test } from 'vitest';
import { noLimits } from '../programs/task-limits.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';
import { heldLimits } from './supervisors.ts';

const files = { 'play.yml': 'echo begun\n' };
const limits = { memoryMib: 512, cpuPercent: 0, processes: 0 };

test('a task whose limits cannot be held runs, and its log says so', async () => {
  const runner = await testRunner();
  const { status, log } = await runner.run({ files, limits });
  expect(status).toBe('success');
  expect(log).toContain('This server cannot hold limits of this task (memory 512 MiB): ');
  expect(log.match(/cannot hold/g)).toHaveLength(1);
});

test('where the administrator requires limits, it fails before its program', async () => {
  const taskLimits = { memoryMib: 0, cpuPercent: 0, processes: 64 };
  const runner = await testRunner({ config: { requireTaskLimits: true, taskLimits } });
  const { status, log, task } = await runner.run({ files });
  expect(status).toBe('error');
  expect(log).toContain('This server cannot hold limits of this task (64 processes)');
  expect(log).not.toContain('begun');
  expect(task.failure?.code).toMatch(/^failure\.(?:interrupted|preparation)$/);
});

test('a task without limits says nothing about them, whatever is required', async () => {
  const runner = await testRunner({ config: { requireTaskLimits: true } });
  const { status, log } = await runner.run({ files });
  expect(status).toBe('success');
  expect(log).not.toMatch(/limits of this task/i);
  const task = await runner.launch({ files });
  expect(heldLimits({ ctx: runner, task: task.task })).toEqual({ held: noLimits, lines: [] });
});
