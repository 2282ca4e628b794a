// Prints at the end of a failed test run how to choose the same random numbers again.

import type { Reporter, TestModule } from 'vitest/node';
import { runSeed, seedVariable } from '../test/helpers/random.ts';

export default class SeedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!modules.some((module) => module.state() === 'failed')) return;
    console.log(`\n${seedVariable}=${runSeed} lets the tests choose at random as they did here.\n`);
  }
}
