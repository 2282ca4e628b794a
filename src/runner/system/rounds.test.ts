import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/helpers/until.ts';
import { Rounds } from './rounds.ts';

function counted(round: (count: number, ask: () => void) => Date | null) {
  let count = 0;
  const rounds: Rounds = new Rounds({
    clock: { now: () => new Date() },
    async round() {
      count += 1;
      await Promise.resolve();
      return round(count, () => rounds.ask());
    },
    onError: () => undefined,
  });
  onTestFinished(() => rounds.close());
  return { rounds, count: () => count };
}

test('whoever asks while a round goes on gets another one', async () => {
  const { rounds, count } = counted((done, ask) => {
    if (done <= 3) ask();
    return null;
  });
  rounds.ask();
  expect(await until(() => count() === 4)).toBe(true);
  await rounds.close();
  expect(count()).toBe(4);
});

test('a round comes by itself when the last one said so', async () => {
  const { rounds, count } = counted((done) => (done < 3 ? new Date(Date.now() + 5) : null));
  rounds.ask();
  expect(await until(() => count() === 3)).toBe(true);
});

test('one that fails is told of, and comes again a moment later', async () => {
  const { rounds, count } = counted((done) => {
    if (done === 1) throw new Error('The database is away');
    return null;
  });
  rounds.ask();
  expect(await until(() => count() === 1 && rounds.hasFailed)).toBe(true);
  expect(await until(() => count() === 2)).toBe(true);
  expect(await until(() => !rounds.hasFailed)).toBe(true);
});

test('a closed one does nothing more', async () => {
  const { rounds, count } = counted(() => new Date(Date.now() + 5));
  rounds.ask();
  await rounds.close();
  const then = count();
  rounds.ask();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(count()).toBe(then);
});
