// The database under the tests: each vitest project of the server has its own.

export type Engine = 'sqlite' | 'postgres';

/** Of this project. Set by `vitest.config.ts`; scripts and browser tests are on SQLite. */
export const ownEngine: Engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** The same as a list, for titles that name it. */
export const engines: readonly Engine[] = [ownEngine];
