import { expect, test } from 'vitest';
import type { LogLine } from '#shared/api/task-log.ts';
import { createHub } from '../../../live/hub.ts';
import { newestLinesOf } from './newest-lines.ts';
import type { LogChunk } from './task-log.store.ts';

const lineOf = (number: number): LogLine => ({ time: '', output: `line ${number}` });

/** A chunk with lines of these numbers. */
const chunkOf = (firstLine: number, lastLine: number, bytes = 100): LogChunk => ({
  firstLine,
  lines: Array.from({ length: lastLine - firstLine + 1 }, (_, index) => lineOf(firstLine + index)),
  bytes,
});

const projectId = 1;

test('answers the newest lines of a log from any of them on, and none that it does not have', () => {
  const newest = newestLinesOf(createHub());
  newest.keep(7, chunkOf(11, 14));
  expect(newest.linesFrom(7, 11)).toEqual([11, 12, 13, 14].map(lineOf));
  expect(newest.linesFrom(7, 14)).toEqual([lineOf(14)]);
  expect(newest.linesFrom(7, 10)).toBeNull();
  expect(newest.linesFrom(7, 15)).toBeNull();
  expect(newest.linesFrom(8, 11)).toBeNull();
});

test('answers the chunk only while it holds the last stored line, as one that may be changed', () => {
  const newest = newestLinesOf(createHub());
  newest.keep(7, chunkOf(11, 14));
  expect(newest.chunkOf(7, 13)).toBeNull();
  expect(newest.chunkOf(7, 15)).toBeNull();
  const chunk = newest.chunkOf(7, 14);
  expect(chunk).toEqual(chunkOf(11, 14));
  chunk?.lines.push(lineOf(15));
  expect(newest.linesFrom(7, 14)).toEqual([lineOf(14)]);
});

test('forgets a log with its end, and all when events may have been missed', () => {
  const hub = createHub();
  const newest = newestLinesOf(hub);
  for (const taskId of [7, 8]) newest.keep(taskId, chunkOf(1, 4));
  hub.publish('log.appended', { projectId, taskId: 7, from: 4, total: 4 });
  expect(newest.chunkOf(7, 4)).not.toBeNull();
  hub.publish('log.appended', { projectId, taskId: 7, from: 5, total: 4 });
  expect(newest.chunkOf(7, 4)).toBeNull();
  expect(newest.chunkOf(8, 4)).not.toBeNull();
  hub.publish('hub.events-missed', {});
  expect(newest.chunkOf(8, 4)).toBeNull();
});

test('keeps few logs, those that have grown last, and no chunk that is too large', () => {
  const newest = newestLinesOf(createHub());
  for (let taskId = 1; taskId <= 32; taskId += 1) newest.keep(taskId, chunkOf(1, 1));
  newest.keep(1, chunkOf(1, 2));
  newest.keep(33, chunkOf(1, 1));
  expect(newest.linesFrom(2, 1)).toBeNull();
  expect(newest.linesFrom(1, 1)).toHaveLength(2);
  newest.keep(1, chunkOf(1, 3, 65 * 1024));
  expect(newest.linesFrom(1, 1)).toBeNull();
});
