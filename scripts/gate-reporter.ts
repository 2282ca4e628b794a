// Prints the lines of the release gates at the end of a test run.

import type { Reporter, TestModule } from 'vitest/node';
import { gates } from '../test/security/release-gate.ts';
import { type FileResult, gateLines } from './gate-lines.ts';

const resultOf = (module: TestModule): FileResult => ({
  path: module.relativeModuleId,
  isFailed: module.state() === 'failed',
  tests: [...module.children.allTests()].map((test) => ({
    title: test.name,
    state: test.result().state,
  })),
});

export default class GateReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = gateLines(gates, modules.map(resultOf));
    if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`);
  }
}
