import { expect, test } from 'vitest';
import { watchedLog } from '../../../test/helpers/kept-secrets.ts';
import type { RunnerApi } from '../api/runner-api.ts';
import { createResultStream } from './result-stream.ts';

const streamOf = (results: number) => {
  const runnerApi = {
    storeResults: () => Promise.resolve(true),
  } as Partial<RunnerApi> as RunnerApi;
  return createResultStream(
    { runnerApi, log: watchedLog() },
    { id: 1, project_id: 1, lease: 1, results },
  );
};

test('results have no texts any more after 64 MiB of texts', () => {
  const stream = streamOf(0);
  const kept = Array.from({ length: 70 }, () => stream.number(1024 * 1024 + 400).kept);
  expect(new Set(kept.slice(0, 64))).toEqual(new Set(['whole']));
  expect(new Set(kept.slice(64))).toEqual(new Set(['without texts']));
});

test('small results have no texts in this sense', () => {
  const stream = streamOf(0);
  for (let at = 0; at < 500_000; at += 1) stream.number(300);
  expect(stream.number(300)).toEqual({ id: 500_001, kept: 'whole' });
});

test('a runner that reads the file again decides as the one before', () => {
  const stream = streamOf(69);
  const kept = Array.from({ length: 70 }, () => stream.number(1024 * 1024 + 400));
  expect(kept[68]?.kept).toBe('passed');
  expect(kept[69]).toEqual({ id: 70, kept: 'without texts' });
});

test('a run keeps a million results', () => {
  const stream = streamOf(999_999);
  let last = stream.number(300);
  while (last.id < 1_000_000) last = stream.number(300);
  expect([last.kept, stream.number(300).kept]).toEqual(['whole', 'passed']);
});
