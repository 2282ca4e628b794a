import { constants, performance, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
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

test('an idle process collects garbage some times, and again after work', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let share = 0;
  const loop = vi.spyOn(performance, 'eventLoopUtilization');
  loop.mockImplementation(() => ({ idle: 0, active: 0, utilization: share }));
  onTestFinished(() => loop.mockRestore());
  const counted = countCollections();
  const end = releaseMemoryWhenIdle();
  onTestFinished(end);
  vi.advanceTimersByTime(60_000);
  expect(await counted()).toBe(3);
  share = 0.5;
  vi.advanceTimersByTime(60_000);
  expect(await counted()).toBe(3);
  share = 0;
  vi.advanceTimersByTime(60_000);
  expect(await counted()).toBe(6);
  end();
  vi.advanceTimersByTime(60_000);
  expect(await counted()).toBe(6);
});
