// Rules that keep tests from failing for a reason that is not their subject.

import type { Import, Rule, SourceFile } from './source.ts';

// The test of these rules contains examples that they refuse.
const isTest = ({ path }: SourceFile): boolean =>
  /\.(?:test|spec)\.ts$/.test(path) && path !== 'test/architecture.test.ts';
const isOfTests = (file: SourceFile): boolean =>
  isTest(file) || file.path.startsWith('test/helpers/');

/** Random choices of a test can be repeated. */
export const randomComesFromOneSeed: Rule = (files) =>
  files
    .filter((file) => isOfTests(file) && file.path !== 'test/helpers/random.ts')
    .flatMap(({ path, code }) => {
      const found = /\bMath\.random\b|\bDate\.now\(\) %|\bseed: \d/.exec(code)?.[0];
      return found === undefined
        ? []
        : [`${path} chooses at random ("${found}"): take the numbers of test/helpers/random.ts.`];
    });

/** In milliseconds. */
const shortestLimit = 120_000;

const limit = /^ *\}, (?<last>\d[\d_]+)\);$|\btimeout: (?<option>\d[\d_]+)/gm;

/** A limit only ends a test that hangs: a busy machine takes many times as long as an idle one. */
export const limitsOnlyEndWhatHangs: Rule = (files) =>
  files.filter(isTest).flatMap(({ path, code }) =>
    [...code.matchAll(limit)]
      .map(({ groups }) => Number((groups?.['last'] ?? groups?.['option'])?.replaceAll('_', '')))
      .filter((milliseconds) => milliseconds >= 1000 && milliseconds < shortestLimit)
      .map((milliseconds) => `${path} has a limit of ${milliseconds} ms: two minutes and more.`),
  );

/** Desk and queue are all that a runner knows of a server, and both are there in memory for tests. */
export const runnerTestsNeedNoServer: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files
    .filter((file) => isTest(file) && file.path.startsWith('src/runner/'))
    .flatMap(({ path }) => {
      const found = loadedBy(path, byPath).find((one) => one.startsWith('src/server/'));
      return found === undefined
        ? []
        : [`${path} loads ${found}: take test/runner/test-runner.ts, or move it to test/runs.`];
    });
};

/** The files that a file imports, also by way of others; types need none. */
function loadedBy(path: string, files: Map<string, SourceFile>): string[] {
  const found = new Set<string>([path]);
  const isNew = ({ target, isFile, isTypeOnly }: Import): boolean =>
    isFile && !isTypeOnly && !found.has(target);
  // A set goes on with what is added to it while it is read.
  for (const next of found) {
    for (const one of (files.get(next)?.imports ?? []).filter(isNew)) found.add(one.target);
  }
  return [...found];
}
