import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { serverTests } from './scripts/server-tests.ts';
import { SlowFirst } from './scripts/slow-first.ts';
import { startWords } from './scripts/start-words.ts';

// What Node has compiled once starts in half the time: workers, and each server and command that
// the tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.compile-cache');

const server = {
  environment: 'node',
  globalSetup: ['test/helpers/global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A worker loads the server once and not for each file: a third of all work otherwise.
  isolate: false,
};

export default defineConfig({
  test: {
    // Many tests run processes and databases of their own; more workers only wait for each other.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './scripts/gate-reporter.ts'],
    projects: [
      {
        test: {
          ...server,
          name: 'server',
          include: serverTests.sqlite,
          env: { TEST_ENGINE: 'sqlite' },
        },
      },
      {
        test: {
          ...server,
          name: 'server-postgres',
          include: serverTests.postgres,
          env: { TEST_ENGINE: 'postgres' },
        },
      },
      {
        plugins: [startWords()],
        test: {
          name: 'web',
          environment: 'node',
          include: ['src/web/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.spec.ts'],
          globalSetup: ['test/helpers/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As long as the browser waits for what it is told to press.
          expect: { poll: { timeout: 30_000 } },
          fileParallelism: true,
          // After the others: a browser beside them would measure the machine, not the product.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
