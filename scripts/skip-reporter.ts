// Fails a test run in which a test was skipped, whatever skipped it: a test that does not run proves
// nothing. With `-t` only some tests are selected, and the others may be skipped.

import type { Reporter, TestModule, Vitest } from 'vitest/node';

export default class SkipReporter implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return;
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    process.exitCode = 1;
    const names = skipped.map(({ module, fullName }) => `${module.relativeModuleId}: ${fullName}`);
    console.log(`\nSkipped, which fails the run:\n${names.join('\n')}\n`);
  }
}
