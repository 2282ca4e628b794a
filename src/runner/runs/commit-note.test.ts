import { expect, test } from 'vitest';
import type { Commit } from '../api/runner-api.ts';
import { createCommitNote } from './commit-note.ts';

const commit = { hash: 'ab'.repeat(20), message: 'Change' };

function noting() {
  const recorded: Commit[] = [];
  const note = createCommitNote((one) => {
    recorded.push(one);
    return Promise.resolve();
  });
  return { ...note, recorded };
}

test('the first step takes the commit with it', async () => {
  const { tell, take, recorded } = noting();
  const told = tell(commit);
  expect(take()).toEqual(commit);
  await told;
  expect([take(), recorded]).toEqual([null, []]);
});

test('without a step the commit is recorded alone, once', async () => {
  const { tell, take, recorded } = noting();
  await tell(commit);
  expect([take(), recorded]).toEqual([null, [commit]]);
});

test('who tells of the commit hears that it could not be recorded', async () => {
  const note = createCommitNote(() => Promise.reject(new Error('The commit was refused.')));
  await expect(note.tell(commit)).rejects.toThrow('The commit was refused.');
});
