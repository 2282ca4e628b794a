// Everything that a test chooses at random comes from one seed, so that what failed can be tried
// again. `SIGNALBOX_TEST_SEED` chooses another one; a run that failed prints it.

/** Names the seed that tests and drills begin with. */
export const seedVariable = 'SIGNALBOX_TEST_SEED';

/** The seed that was asked for, or else this one. */
function seedOr(usual: number): number {
  const text = process.env[seedVariable] ?? '';
  if (text === '') return usual;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${seedVariable} is "${text}", not a whole number of at most nine digits.`);
}

/** Another one for each run: what is chosen then need not be the same each time. */
export const newSeed = (): number => seedOr(Date.now() % 1_000_000);

/** Of this run of tests: `vitest.config.ts` chooses it for all processes of the run. */
export const runSeed = Number(process.env['TEST_RUN_SEED'] ?? newSeed());

/** The same in each run: whoever compares two runs compares the same requests. */
export const fixedSeed = seedOr(20_260);

/** Numbers from 0 up to, not including, 1: the same row for the same seed (mulberry32). */
function* randomNumbers(from: number): Generator<number, never> {
  for (let state = from; ;) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Answers the next of these numbers at each call. */
export function randomNumber(from: number): () => number {
  const numbers = randomNumbers(from);
  return () => numbers.next().value;
}
