import { expect, test } from 'vitest';
import { watchedLog } from '../../../test/helpers/kept-secrets.ts';
import { createBackground } from './background.ts';

const background = () => createBackground({ log: watchedLog() }, new AbortController().signal);

test('what a run could do without begins with the program, and the run waits for it', async () => {
  const done: string[] = [];
  const { inBackground, hasStarted, during } = background();
  inBackground(async () => {
    await Promise.resolve();
    done.push('beside');
  });
  await during(async () => {
    await Promise.resolve();
    done.push('prepared');
    hasStarted();
    hasStarted();
  });
  expect(done).toEqual(['prepared', 'beside']);
});

test('without a program it does not begin', async () => {
  let hasBegun = false;
  const { inBackground, during } = background();
  await during(async () => {
    inBackground(async () => {
      hasBegun = true;
      await Promise.resolve();
    });
    await Promise.resolve();
  });
  expect(hasBegun).toBe(false);
});
