// Decides the order in which test files begin. The slowest begin first, otherwise one of them would
// run alone at the end; browser tests run beside server tests, since one kind waits while the other
// computes. Vitest orders the files of a fresh clone by their size, which says little about their
// time.

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest comes first. */
export const slow: readonly string[] = [
  'test/database-drill.test.ts',
  'test/drain.test.ts',
  'test/properties-by-role.test.ts',
  'test/workflows-crash.test.ts',
  'src/server/automation/kept-states/kept-states.test.ts',
  'src/runner/prepare/ssh.test.ts',
  'test/security/ansible-injection.test.ts',
  'test/properties.test.ts',
  'test/security/canaries.test.ts',
  'test/security/injection.test.ts',
  'src/runner/prepare/secrets.test.ts',
  'src/runner/workspace/run-as-tools.test.ts',
  'src/runner/apps/terraform.test.ts',
  'src/runner/prepare/requirements.test.ts',
  'src/runner/apps/python.test.ts',
  'test/runs/odd-output.test.ts',
  'test/runs/run-as.test.ts',
  'test/permission-matrix.test.ts',
  'src/server/automation/tasks/retention/retention.test.ts',
  'src/server/automation/tasks/builds.test.ts',
  'src/server/http/live.test.ts',
];

/** Puts the slow files of each project first, and spreads browser tests among the others. */
export function slowFirst<T>(
  files: T[],
  about: (file: T) => { path: string; project: string },
): T[] {
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

/** Takes one of each list in turn; the rest of the longer list follows. */
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
