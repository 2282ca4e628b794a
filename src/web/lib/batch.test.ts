import { expect, test } from 'vitest';
import { batched } from './batch.ts';

test('keys that are read at once share calls of a bounded size', async () => {
  const calls: number[][] = [];
  const read = batched(2, async (keys: number[]) => {
    calls.push(keys);
    return new Map(keys.filter((key) => key < 9).map((key) => [key, `value ${key}`]));
  });
  expect(await Promise.all([1, 2, 3, 9].map(read))).toEqual([
    'value 1',
    'value 2',
    'value 3',
    null,
  ]);
  expect(await read(4)).toBe('value 4');
  expect(calls).toEqual([[1, 2], [3, 9], [4]]);
});

test('each reader of a failed call gets its error', async () => {
  const read = batched(5, () => Promise.reject(new Error('no connection')));
  const results = await Promise.allSettled([read(1), read(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
