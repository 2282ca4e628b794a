import { expect, test } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const mutex = new KeyedMutex();

test('work of one key is done in its order, that of another one beside it', async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const all = [
    mutex.runExclusive('a', async () => {
      await first.promise;
      done.push('first');
    }),
    mutex
      .runExclusive('a', () => {
        done.push('second');
        return Promise.reject(new Error('failed'));
      })
      .catch(() => undefined),
    mutex.runExclusive('a', () => Promise.resolve(done.push('third'))),
  ];
  await mutex.runExclusive('b', () => Promise.resolve(done.push('other')));
  first.resolve();
  await Promise.all(all);
  expect(done).toEqual(['other', 'first', 'second', 'third']);
});

test('whoever gives up waiting does not wait, and its work is never done', async () => {
  const first = Promise.withResolvers<void>();
  const done: string[] = [];
  const running = mutex.runExclusive('c', () => first.promise);
  const end = new AbortController();
  const waiting = mutex.runExclusive('c', () => Promise.resolve(done.push('given up')), end.signal);
  const last = mutex.runExclusive('c', () => Promise.resolve(done.push('last')));
  end.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  first.resolve();
  await running;
  await last;
  expect(done).toEqual(['last']);
});

test('work that has begun ends by itself', async () => {
  const end = new AbortController();
  const work = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const running = mutex.runExclusive(
    'd',
    () => {
      begun.resolve();
      return work.promise;
    },
    end.signal,
  );
  await begun.promise;
  end.abort();
  work.resolve('whole');
  expect(await running).toBe('whole');
});
