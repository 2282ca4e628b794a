// Which test files run where: on which database engine, and by which command. `npm test` runs the
// fast suite, `npm run test:slow` the slow one and `npm run test:release` that of a release; no file
// of an engine is in two of them.
//
// A server test's engines are found in its imports: a file that reaches a helper that makes a
// server runs on both, a file that makes only a PostgreSQL database runs on that, and every other
// file runs once. A comment at the top of a file says otherwise, with its reason:
//
//   // Only on SQLite: <why>        // Only on PostgreSQL: <why>        // Also on PostgreSQL: <why>
//   // Slow: <why>                  // Release on PostgreSQL: <why>    // Before a release: <why>
//
// The second run of a file belongs to the fast suite if it is about statements: the tests of stores,
// of the queue and of `src/server/db`, and the one file of each noun that has the noun's name. Other
// tests beside use cases, and those that say `Also on PostgreSQL`, run again in the slow suite, all
// others before a release.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, readSource } from '../test/architecture/source.ts';

/**
 * The test files of one command, grouped by where they run; each group is the `include` of a vitest
 * project.
 */
export interface Suite {
  sqlite: string[];
  postgres: string[];
  browser: string[];
}

interface Suites {
  fast: Suite;
  slow: Suite;
  release: Suite;
}

type SuiteGroup = keyof Suite;

const patterns = [
  'src/{server,runner,node,shared}/**/*.test.ts',
  'test/*.test.ts',
  'test/{cluster,compat,content,runs,security}/**/*.test.ts',
  'test/e2e/**/*.spec.ts',
  'scripts/**/*.test.ts',
];

const makeServers = ['test/helpers/app.ts', 'test/helpers/server.ts'];
const makesPostgres = 'test/helpers/postgres.ts';

/** The runner executes no SQL, so a second engine would prove nothing. */
const isOfRunner = (path: string): boolean => /^(?:src\/runner|test\/runs)\//.test(path);

/** Stores, use cases and routes. */
const isOfNoun = (path: string): boolean =>
  path.startsWith('src/server/') && !path.startsWith('src/server/cli/');

/** Where differences between engines show first. */
function isOfStatements(path: string): boolean {
  const [folder = '', file = ''] = path.split('/').slice(-2);
  const isNamedSo = file === `${folder}.test.ts` || file.endsWith('.store.test.ts');
  return isNamedSo || folder === 'queue' || path.startsWith('src/server/db/');
}

/** Where each of `tests` runs, given all `files`. */
export function sortTests(tests: string[], files: SourceFile[]): Suites {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const suites: Suites = { fast: emptySuite(), slow: emptySuite(), release: emptySuite() };
  for (const path of tests.toSorted()) {
    const remarks = remarksOf(byPath.get(path)?.text ?? '');
    const places = placesOf(path, remarks, byPath);
    for (const place of places) {
      const isAgain = place === 'postgres' && places.length > 1;
      suites[suiteOf(path, remarks, isAgain)][place].push(path);
    }
  }
  return suites;
}

/** The suite of a file in one place; `isAgain`: on PostgreSQL, after SQLite. */
function suiteOf(path: string, remarks: Set<Remark>, isAgain: boolean): keyof Suites {
  if (remarks.has('Before a release')) return 'release';
  if (!isAgain) return remarks.has('Slow') ? 'slow' : 'fast';
  if (remarks.has('Also on PostgreSQL')) return 'slow';
  const isLate = remarks.has('Slow') || remarks.has('Release on PostgreSQL');
  if (!isOfNoun(path) || isLate) return 'release';
  return isOfStatements(path) ? 'fast' : 'slow';
}

const emptySuite = (): Suite => ({ sqlite: [], postgres: [], browser: [] });

type Remark =
  | 'Only on SQLite'
  | 'Only on PostgreSQL'
  | 'Also on PostgreSQL'
  | 'Slow'
  | 'Before a release'
  | 'Release on PostgreSQL';

/** The remarks with a reason at the top of a file. */
function remarksOf(text: string): Set<Remark> {
  const head = /^(?:\/\/.*\n)*/.exec(text)?.[0] ?? '';
  const found = head.matchAll(
    /^\/\/ (?<remark>(?:Only|Also) on (?:SQLite|PostgreSQL)|Slow|Release on PostgreSQL|Before a release): \S/gm,
  );
  return new Set([...found].map(({ groups }) => groups?.['remark'] as Remark));
}

function placesOf(
  path: string,
  remarks: Set<Remark>,
  files: Map<string, SourceFile>,
): SuiteGroup[] {
  if (path.endsWith('.spec.ts')) return ['browser'];
  if (remarks.has('Only on SQLite')) return ['sqlite'];
  if (remarks.has('Only on PostgreSQL')) return ['postgres'];
  if (remarks.has('Also on PostgreSQL')) return ['sqlite', 'postgres'];
  const helpers = helpersOf(path, files);
  if (makeServers.some((helper) => helpers.has(helper))) {
    return isOfRunner(path) || isOfOlderApi(path) ? ['sqlite'] : ['sqlite', 'postgres'];
  }
  return helpers.has(makesPostgres) ? ['postgres'] : ['sqlite'];
}

/** The older forms of the API are converted from ours, after the database. */
const isOfOlderApi = (path: string): boolean => path.startsWith('test/compat/');

/** The helpers that a test imports, directly or through others. */
function helpersOf(path: string, files: Map<string, SourceFile>): Set<string> {
  const found = new Set<string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { target, isTypeOnly } of files.get(next)?.imports ?? []) {
      if (isTypeOnly || found.has(target) || !target.startsWith('test/')) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return found;
}

const root = join(import.meta.dirname, '..');

export const suites: Suites = sortTests(
  globSync(patterns, { cwd: root }),
  readSource(root, ['test', 'src', 'scripts']),
);
