import { expect, test } from 'vitest';
import {
  activeStatuses,
  canMove,
  finishedStatuses,
  isFinished,
  isTaskStatus,
  sourcesOf,
  runningStatuses,
  taskStatuses,
  unfinishedStatuses,
  type TaskStatus,
} from './task-status.ts';

// From the row to the column; x: allowed.
const table = `
                      waiting starting waiting_confirmation confirmed running stopping success error stopped
waiting               -       x        x                    -         -       -        -       x     x
starting              -       -        x                    -         x       x        -       x     x
waiting_confirmation  -       -        -                    x         -       x        -       x     x
confirmed             -       -        -                    -         x       x        -       x     x
running               -       -        x                    -         -       x        x       x     x
stopping              -       -        -                    -         -       -        -       -     x
success               -       -        -                    -         -       -        -       -     -
error                 -       -        -                    -         -       -        -       -     -
stopped               -       -        -                    -         -       -        -       -     -
`;

const words = (line: string): string[] => line.trim().split(/\s+/);
const [head = '', ...lines] = table.trim().split('\n');
const columns = words(head) as TaskStatus[];
const pairs = lines.flatMap((line) => {
  const [from, ...marks] = words(line) as [TaskStatus, ...string[]];
  return marks.map((mark, index) => [from, columns[index] as TaskStatus, mark === 'x'] as const);
});

test('the table below has every pair of statuses once', () => {
  const every = taskStatuses.flatMap((from) => taskStatuses.map((to) => `${from} ${to}`));
  expect(pairs.map(([from, to]) => `${from} ${to}`).sort()).toEqual(every.sort());
  expect(pairs).toHaveLength(81);
});

test.each(pairs)('from %s to %s: %s', (from, to, isAllowed) => {
  expect(canMove(from, to)).toBe(isAllowed);
  expect(sourcesOf(to).includes(from)).toBe(isAllowed);
});

test('three statuses are the end of a task', () => {
  expect(finishedStatuses).toEqual(['success', 'error', 'stopped']);
  expect(unfinishedStatuses).toEqual(taskStatuses.filter((status) => !isFinished(status)));
});

test('only a task that a runner works on occupies a slot', () => {
  expect(runningStatuses).toEqual(['starting', 'running', 'stopping']);
  expect([...activeStatuses, 'waiting'].sort()).toEqual([...unfinishedStatuses].sort());
});

test('a status of another version is known as unknown, and may still change', () => {
  const other = 'paused' as TaskStatus;
  expect([isTaskStatus(other), isTaskStatus('toString'), isTaskStatus('running')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(isFinished(other)).toBe(false);
});
