// The database engine of the tests: each vitest project of the server has its own.

export type Engine = 'sqlite' | 'postgres';

/**
 * The engine of this vitest project, set by `vitest.config.ts`. Scripts and browser tests use
 * SQLite.
 */
export const ownEngine: Engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';
