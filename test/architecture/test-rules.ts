// What keeps tests from failing for another reason than what they are about.

import type { Rule, SourceFile } from './source.ts';

// The test of these rules holds examples of what they refuse.
const isTest = ({ path }: SourceFile): boolean =>
  /\.(?:test|spec)\.ts$/.test(path) && path !== 'test/architecture.test.ts';
const isOfTests = (file: SourceFile): boolean =>
  isTest(file) || file.path.startsWith('test/helpers/');

/** What is chosen at random can be chosen again. */
export const randomComesFromOneSeed: Rule = (files) =>
  files
    .filter((file) => isOfTests(file) && file.path !== 'test/helpers/random.ts')
    .flatMap(({ path, code }) => {
      const found = /\bMath\.random\b|\bDate\.now\(\) %|\bseed: \d/.exec(code)?.[0];
      return found === undefined
        ? []
        : [`${path} chooses at random ("${found}"): take the numbers of test/helpers/random.ts.`];
    });

/** Milliseconds. */
const shortestLimit = 120_000;

const limit = /^ *\}, (?<last>\d[\d_]+)\);$|\btimeout: (?<option>\d[\d_]+)/gm;

/** A limit ends what hangs: a machine that is busy with other things takes many times as long. */
export const limitsOnlyEndWhatHangs: Rule = (files) =>
  files.filter(isTest).flatMap(({ path, code }) =>
    [...code.matchAll(limit)]
      .map(({ groups }) => Number((groups?.['last'] ?? groups?.['option'])?.replaceAll('_', '')))
      .filter((milliseconds) => milliseconds >= 1000 && milliseconds < shortestLimit)
      .map((milliseconds) => `${path} has a limit of ${milliseconds} ms: two minutes and more.`),
  );
