import { expect, test } from 'vitest';
import type { PlayTask, RunHost } from '#shared/api/run-results.ts';
import { countWorst, hasWords, listTasks, sortHosts, worstOf } from './outcomes.ts';

const none = { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
const noTimes = { begin: null, end: null };
const noPlace = {
  section: 1,
  sections: [1],
  line: 1,
  module: '',
  role: '',
  path: null,
  file_line: null,
  file_url: null,
};
const host = (name: string, counts: Partial<RunHost>): RunHost => ({
  host: name,
  ...none,
  ...noTimes,
  duration_ms: 0,
  first_failure: null,
  ...counts,
});
const task = (name: string, play: string, duration_ms: number): PlayTask => ({
  ...none,
  ...noTimes,
  ...noPlace,
  kind: 'task',
  name,
  play,
  duration_ms,
});

test('hosts with the worst outcome come first, and equal ones in the order of their numbers', () => {
  const hosts = [
    host('web-10', { ok: 3 }),
    host('web-2', { ok: 3 }),
    host('db-1', { ok: 3, changed: 1 }),
    host('db-2', { ok: 1, failed: 1 }),
    host('cache', { ok: 9, rescued: 1 }),
    host('queue', { ok: 9, ignored: 1 }),
    host('gone', { unreachable: 1, failed: 1 }),
    host('idle', { skipped: 2 }),
  ];
  expect(sortHosts(hosts).map((one) => one.host)).toEqual([
    'gone',
    'db-2',
    'cache',
    'queue',
    'db-1',
    'web-2',
    'web-10',
    'idle',
  ]);
  expect(countWorst(hosts)).toEqual({
    unreachable: 1,
    failed: 1,
    rescued: 1,
    ignored: 1,
    changed: 1,
    ok: 2,
    skipped: 1,
  });
  expect(worstOf(none)).toBe('skipped');
});

test('a search finds texts that have all of its words', () => {
  expect(hasWords('Install nginx copy', 'COPY install')).toBe(true);
  expect(hasWords('Install nginx', 'install apache')).toBe(false);
  expect(hasWords('Install nginx', '')).toBe(true);
});

test('tasks stand below their plays, or the slowest one first', () => {
  const tasks = [task('one', 'A', 5), task('two', 'A', 50), task('three', 'B', 20)];
  const shown = (slowest: boolean) =>
    listTasks(tasks, slowest).map((item) => item.task?.name ?? `[${item.play}]`);
  expect(shown(false)).toEqual(['[A]', 'one', 'two', '[B]', 'three']);
  expect(shown(true)).toEqual(['two', 'three', 'one']);
});
