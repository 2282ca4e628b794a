// The order in which test files begin: the slowest first, or one of them would run alone at the
// end; and browser tests beside server tests, since the one group waits while the other computes.
// A fresh clone knows only how large a file is, which says little.

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest comes first. */
export const slow: readonly string[] = [
  'test/drain.test.ts',
  'test/runs/python.test.ts',
  'test/runs/run-as-tools.test.ts',
  'test/runs/terraform.test.ts',
  'test/ssh.test.ts',
  'test/git-http.test.ts',
  'src/server/automation/tasks/builds.test.ts',
  'test/security/canaries.test.ts',
  'src/server/http/live.test.ts',
  'test/runs/odd-output.test.ts',
  'test/runs/run-as.test.ts',
  'test/security/oidc-sign-in.test.ts',
];

/** What the order is made of. */
interface About {
  path: string;
  project: string;
}

/** Pure: in each project the slow files first, and browser tests spread among the others. */
export function slowFirst<T>(files: T[], about: (file: T) => About): T[] {
  const place = (file: T): number => {
    const found = slow.indexOf(about(file).path);
    return found === -1 ? slow.length : found;
  };
  const projects = Map.groupBy(files, (file) => about(file).project);
  const sorted = [...projects].map(
    ([project, own]) => [project, own.toSorted((a, b) => place(a) - place(b))] as const,
  );
  const isBrowser = ([project]: readonly [string, T[]]): boolean => project.endsWith('browser');
  const browser = sorted.filter(isBrowser).flatMap(([, own]) => own);
  const others = sorted.filter((one) => !isBrowser(one)).flatMap(([, own]) => own);
  return alternate(browser, others);
}

/** One of each, in turn; then what is left of the longer list. */
function alternate<T>(first: T[], second: T[]): T[] {
  const longer = Math.max(first.length, second.length);
  return Array.from({ length: longer }, (_, index) => [
    ...first.slice(index, index + 1),
    ...second.slice(index, index + 1),
  ]).flat();
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowFirst(await super.sort(files), ({ moduleId, project }) => ({
      path: relative(this.ctx.config.root, moduleId),
      project: project.name,
    }));
  }
}
