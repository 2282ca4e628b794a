import { expect, test } from 'vitest';
import type { AskedLook, Seen } from '#shared/api/runner-desk.ts';
import { Looks } from './looks.ts';

const noKey = { type: 'none' } as const;
const sealed = (id: number) => Promise.resolve(`sealed for ${id}`);
const branches = { kind: 'branches', project_id: 1, url: '/code' } as const;
const head = { kind: 'head', project_id: 1, url: '/code', branch: 'main' } as const;
const seen: Seen = { kind: 'branches', seen: { branches: ['main'], head: 'main', failure: null } };

const ids = (asked: AskedLook[]): number[] => asked.map(({ look_id: id }) => id);

test('two are looked at at once, some wait, and more are refused', async () => {
  const looks = new Looks(sealed);
  const asked = Array.from({ length: 16 }, () => looks.ask(branches, noKey));
  await expect(looks.ask(branches, noKey)).rejects.toMatchObject({ code: 'request.rate_limited' });
  for (let done = 0; done < 16; done += 2) {
    const now = ids(looks.list([]));
    expect(now).toEqual([done + 1, done + 2]);
    expect(ids(looks.list([done + 1]))).toEqual([done + 2]);
    for (const id of now) looks.settle(id, seen);
    await Promise.all(asked.slice(done, done + 2));
  }
  expect(looks.list([])).toEqual([]);
});

test('what schedules look at waits for no person', async () => {
  const looks = new Looks(sealed);
  const people = [1, 2, 3].map(() => looks.ask(branches, noKey, { time: 50 }));
  const ofSchedule = looks.ask(head, noKey);
  await Promise.resolve();
  expect(ids(looks.list([]))).toEqual([1, 2, 4]);
  looks.settle(4, { kind: 'head', seen: 'abc' });
  expect(await ofSchedule).toBe('abc');
  await Promise.allSettled(people);
});

test('one that takes too long is told so, and is not looked at any more', async () => {
  const looks = new Looks(sealed);
  await expect(looks.ask(branches, noKey, { time: 20 })).rejects.toMatchObject({
    code: 'request.too_slow',
  });
  expect(looks.list([])).toEqual([]);
  // It is run after all, because nobody waits for its answer any more.
  looks.settle(1, seen);
});

test('one that nobody waits for any more is left', async () => {
  const looks = new Looks(sealed);
  const gone = new AbortController();
  const asked = looks.ask(head, noKey, { signal: gone.signal });
  gone.abort();
  await expect(asked).rejects.toMatchObject({ code: 'request.too_slow' });
  expect(looks.list([])).toEqual([]);
});

test('why nothing was seen is told, and the key goes sealed', async () => {
  const looks = new Looks(sealed);
  let rung = 0;
  looks.onChange(() => (rung += 1));
  const key = { type: 'login_password', login: 'a', password: 'b' } as const;
  const asked = looks.ask(head, key);
  await Promise.resolve();
  await Promise.resolve();
  expect(rung).toBe(1);
  expect(looks.list([])).toMatchObject([{ look_id: 1, look: head, sealed: 'sealed for 1' }]);
  looks.settle(1, { kind: 'failed', reason: 'The folder is outside.' });
  await expect(asked).rejects.toThrow('The folder is outside.');
  expect(looks.list([])).toEqual([]);
});
