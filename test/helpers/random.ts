// All random choices of the tests come from one seed, so that a failure can be repeated.
// `SIGNALBOX_TEST_SEED` chooses the seed; a failed run prints it.

/** The variable with the seed of tests and drills. */
export const seedVariable = 'SIGNALBOX_TEST_SEED';

/** The seed of the variable, or otherwise the given one. */
function seedOr(usual: number): number {
  const text = process.env[seedVariable] ?? '';
  if (text === '') return usual;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${seedVariable} is "${text}", not a whole number of at most nine digits.`);
}

/** A different seed for each run, so that runs differ. */
export const newSeed = (): number => seedOr(Date.now() % 1_000_000);

/** The seed of this test run, which `vitest.config.ts` chooses for all processes of the run. */
export const runSeed = Number(process.env['TEST_RUN_SEED'] ?? newSeed());

/** The same seed in each run, for comparing the requests of two runs. */
export const fixedSeed = seedOr(20_260);

/**
 * Numbers from 0 up to, but not including, 1; the same seed gives the same numbers (mulberry32).
 */
function* randomNumbers(from: number): Generator<number, never> {
  for (let state = from; ;) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Returns a function whose calls answer these numbers one after the other. */
export function randomNumber(from: number): () => number {
  const numbers = randomNumbers(from);
  return () => numbers.next().value;
}
