// Which tests of the server run on which engine, found in their imports: what reaches a helper that
// makes a server runs on both, what makes only a PostgreSQL database on that, and all others once.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, readSource } from '../test/architecture/source.ts';

export interface ServerTests {
  sqlite: string[];
  postgres: string[];
}

const patterns = [
  'src/{server,shared}/**/*.test.ts',
  'test/*.test.ts',
  'test/{cluster,compat,security}/**/*.test.ts',
  'scripts/**/*.test.ts',
];

const makeServers = ['test/helpers/app.ts', 'test/helpers/server.ts'];
const makesPostgres = 'test/helpers/postgres.ts';

// A test that is about one engine says so at its top, and why.
const only = /^\/\/ Only on (SQLite|PostgreSQL): \S/;

export function findServerTests(root: string): ServerTests {
  const tests = globSync(patterns, { cwd: root });
  return sortTests(tests, readSource(root, ['test', 'src', 'scripts']));
}

/** Pure: what `tests` of all these `files` run on. */
export function sortTests(tests: string[], files: SourceFile[]): ServerTests {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found: ServerTests = { sqlite: [], postgres: [] };
  for (const path of tests.toSorted()) {
    for (const engine of enginesOf(path, byPath)) found[engine].push(path);
  }
  return found;
}

function enginesOf(path: string, files: Map<string, SourceFile>): (keyof ServerTests)[] {
  const [, name] = only.exec(files.get(path)?.text ?? '') ?? [];
  if (name !== undefined) return name === 'SQLite' ? ['sqlite'] : ['postgres'];
  const helpers = helpersOf(path, files);
  if (makeServers.some((helper) => helpers.has(helper))) return ['sqlite', 'postgres'];
  return helpers.has(makesPostgres) ? ['postgres'] : ['sqlite'];
}

/** The helpers that a test loads, also by way of others. */
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

/** For `include` of a project, whose folder is that of the checkout. */
export const serverTests = findServerTests(join(import.meta.dirname, '..'));
