// The order in which test files begin: those that take longest first, or one of them would run
// alone at the end. A fresh clone knows only how large a file is, which says little.

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest comes first. */
export const slow: readonly string[] = [
  'test/drain.test.ts',
  'src/server/runner/apps/terraform.test.ts',
  'test/compat/messages.test.ts',
  'src/server/runner/log/odd-output.test.ts',
  'test/git-http.test.ts',
  'src/server/cli/cli.test.ts',
  'src/server/runner/run-as-tools.test.ts',
  'test/security/oidc-sign-in.test.ts',
  'test/ssh.test.ts',
  'src/server/runner/run-as.test.ts',
  'src/server/runner/apps/python.test.ts',
  'test/e2e/routes.spec.ts',
  'test/e2e/tour.spec.ts',
  'test/e2e/further-tour.spec.ts',
  'test/e2e/template-form.spec.ts',
  'test/e2e/messages.spec.ts',
  'test/e2e/crash.spec.ts',
];

/** Pure: of each project the slow ones first; otherwise all stay in their order. */
export function slowFirst<T>(
  files: T[],
  about: (file: T) => { path: string; project: string },
): T[] {
  const place = (file: T): number => {
    const found = slow.indexOf(about(file).path);
    return found === -1 ? slow.length : found;
  };
  const projects = Map.groupBy(files, (file) => about(file).project);
  return [...projects.values()].flatMap((own) => own.toSorted((a, b) => place(a) - place(b)));
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowFirst(await super.sort(files), ({ moduleId, project }) => ({
      path: relative(this.ctx.config.root, moduleId),
      project: project.name,
    }));
  }
}
