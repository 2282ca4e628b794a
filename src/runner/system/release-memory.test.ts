// Slow: processes of its own fill and release memory.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { constants, performance, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { releaseMemoryWhenIdle } from './release-memory.ts';

/** Counts the garbage collections that were asked for from now on. */
function countCollections(): () => Promise<number> {
  let count = 0;
  const note = (list: { getEntries: () => unknown[] }): void => {
    for (const { detail } of list.getEntries() as { detail: { flags: number } }[]) {
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) count += 1;
    }
  };
  const observer = new PerformanceObserver(note);
  observer.observe({ entryTypes: ['gc'] });
  onTestFinished(() => observer.disconnect());
  return async () => {
    // Entries arrive some time after the collection.
    await delay(50);
    return count;
  };
}

/** Lets time pass, in which the process works for a share of it. */
function fakeTime(): { pass: (workShare: number) => void } {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let utilization = 0;
  const loop = vi.spyOn(performance, 'eventLoopUtilization');
  loop.mockImplementation(() => ({ idle: 0, active: 0, utilization }));
  onTestFinished(() => loop.mockRestore());
  return {
    pass(workShare) {
      utilization = workShare;
      vi.advanceTimersByTime(60_000);
    },
  };
}

test('a process collects garbage when it has become idle, and again after its next work', async () => {
  const time = fakeTime();
  const counted = countCollections();
  const end = releaseMemoryWhenIdle();
  onTestFinished(end);
  time.pass(0);
  const first = await counted();
  expect(first).toBeGreaterThan(0);
  time.pass(0);
  time.pass(0.5);
  expect(await counted()).toBe(first);
  time.pass(0);
  const second = await counted();
  expect(second).toBeGreaterThan(first);
  end();
  time.pass(0.5);
  time.pass(0);
  expect(await counted()).toBe(second);
});

test('V8 saves memory whatever it sees being allocated, for as long as the process is idle', () => {
  const time = fakeTime();
  const asked = vi.spyOn(v8, 'setFlagsFromString');
  onTestFinished(() => asked.mockRestore());
  const end = releaseMemoryWhenIdle();
  onTestFinished(end);
  const askedMeanwhile = (what: () => void): string[] => {
    asked.mockClear();
    what();
    return asked.mock.calls.flat().filter((flag) => flag.endsWith('memory-saver-mode'));
  };
  expect(askedMeanwhile(() => time.pass(0.5))).toEqual([]);
  expect(askedMeanwhile(() => time.pass(0))).toEqual(['--memory-saver-mode']);
  expect(askedMeanwhile(() => time.pass(0))).toEqual([]);
  expect(askedMeanwhile(() => time.pass(0.5))).toEqual(['--no-memory-saver-mode']);
  time.pass(0);
  expect(askedMeanwhile(end)).toEqual(['--no-memory-saver-mode']);
});

test('the memory of garbage is returned to the system', async () => {
  const script = join(import.meta.dirname, '../../../test/helpers/returned-memory.ts');
  const ended = promisify(execFile)(process.execPath, [script]);
  await expect(ended).resolves.toEqual({ stdout: '', stderr: '' });
});
