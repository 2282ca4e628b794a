import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { guide } from './scripts/guide/plugin.ts';
import { SlowFirst } from './scripts/slow-first.ts';
import { wordModules } from './scripts/words.ts';
import { type Suite, suites } from './scripts/test-suites.ts';
import { newSeed } from './test/helpers/random.ts';

// What Node has compiled once starts in half the time: workers, and each server and command that
// the tests start.
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.compile-cache`;

// All processes of a run choose at random from the same seed, which a run that failed prints.
process.env['TEST_RUN_SEED'] = String(newSeed());

// A test's limit ends what hangs; it does not measure. A busy machine takes many times as long, but
// a test that hangs must leave the others their time.
const limits = { testTimeout: 300_000, hookTimeout: 120_000 };

/** A worker loads the modules once and not for each file: a third of all work otherwise. */
const shared = {
  ...limits,
  environment: 'node' as const,
  isolate: false,
  setupFiles: ['test/helpers/random-setup.ts'],
};

function server(name: string, engine: 'sqlite' | 'postgres', include: string[]) {
  const env = { TEST_ENGINE: engine };
  const globalSetup = ['test/helpers/global-setup.ts'];
  return { test: { ...shared, name, include, env, globalSetup } };
}

function browser(name: string, include: string[], browserName = 'chromium') {
  // As long as the browser waits for what it is told to press.
  const expect = { poll: { timeout: 120_000, interval: 100 } };
  const env = { TEST_BROWSER: browserName };
  const globalSetup = [
    'test/helpers/browsers/programs.ts',
    'test/helpers/global-setup.ts',
    'test/helpers/console-keeper.ts',
  ];
  return { test: { ...shared, name, include, env, globalSetup, expect } };
}

/** The projects of one command, whose names begin with `prefix`. */
function projectsOf(suite: Suite, prefix = ''): TestProjectConfiguration[] {
  return [
    server(`${prefix}sqlite`, 'sqlite', suite.sqlite),
    server(`${prefix}postgres`, 'postgres', suite.postgres),
    browser(`${prefix}browser`, suite.browser),
  ];
}

const web: TestProjectConfiguration = {
  plugins: [wordModules(), guide()],
  test: { ...shared, name: 'web', include: ['src/web/**/*.test.ts'] },
};

/** Forms and lists of the console in a DOM without a browser: see test/components/render.tsx. */
const components: TestProjectConfiguration = {
  plugins: [wordModules(), guide()],
  test: {
    ...shared,
    name: 'components',
    include: ['src/web/**/*.test.tsx'],
    environment: 'happy-dom',
    setupFiles: [...shared.setupFiles, 'test/components/setup.ts'],
  },
};

/** `npm run test:toolchains`: what needs Go and programs that no Debian package has. */
const toolchains: TestProjectConfiguration = {
  test: {
    ...shared,
    name: 'toolchains',
    include: ['test/toolchains/**/*.test.ts'],
    env: { TEST_ENGINE: 'sqlite' },
    globalSetup: ['test/toolchains/global-setup.ts'],
    testTimeout: 1_800_000,
  },
};

/** `npm run test:kubernetes`: what needs a real Kubernetes, whose parts are built with Go. */
const kubernetes: TestProjectConfiguration = {
  test: {
    ...shared,
    name: 'kubernetes',
    include: ['test/kubernetes/**/*.test.ts'],
    env: { TEST_ENGINE: 'sqlite' },
    globalSetup: ['test/kubernetes/cluster/global-setup.ts'],
    testTimeout: 1_800_000,
    // All files share one cluster, whose parts some of them kill.
    fileParallelism: false,
  },
};

/** The main journeys, and what browsers do differently. */
const inEveryBrowser = [...suites.fast.browser, 'test/e2e/browser-differences.spec.ts'];

/** WebKitGTK has no forced colours. */
const needsNoForcedColors = (file: string): boolean => !file.endsWith('/forced-colors.spec.ts');

export default defineConfig({
  test: {
    // `npm run test:coverage`. What runs in processes of its own (built servers, browsers) is not counted.
    coverage: { include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'json-summary'] },
    // Many tests wait for processes and databases; a third worker uses what two leave idle.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: [
      'default',
      './scripts/gate-reporter.ts',
      './scripts/seed-reporter.ts',
      './scripts/skip-reporter.ts',
    ],
    projects: [
      ...projectsOf(suites.fast),
      web,
      components,
      ...projectsOf(suites.slow, 'slow-'),
      ...projectsOf(suites.release, 'release-'),
      browser('release-firefox', inEveryBrowser, 'firefox'),
      browser('release-webkit', inEveryBrowser.filter(needsNoForcedColors), 'webkit'),
      toolchains,
      kubernetes,
    ],
  },
});
