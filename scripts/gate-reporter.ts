// Prints one line for each gate of the release at the end of a test run: what became of it, what
// it is about, and how many tests held it. A gate is passed when all its files ran and every test
// of them passed; where none of its files ran, nothing is said about it.

import type { Reporter, TestModule } from 'vitest/node';
import { gates, type Gate } from '../test/security/release-gate.ts';

/** What became of one file of tests. */
export interface FileResult {
  path: string;
  isFailed: boolean;
  tests: { title: string; state: string }[];
}

/** One line for each gate of which a file ran. */
export function gateLines(all: readonly Gate[], results: readonly FileResult[]): string[] {
  return all.flatMap((gate) => {
    const ran = results.filter(({ path }) => gate.files.includes(path));
    return ran.length === 0 ? [] : [lineOf(gate, ran)];
  });
}

function lineOf({ number, about, files, open }: Gate, ran: readonly FileResult[]): string {
  const tests = ran.flatMap(({ tests: all }) => all.filter(({ title }) => isOf(number, title)));
  const passed = tests.filter(({ state }) => state === 'passed').length;
  const failed = tests.filter(({ state }) => state === 'failed').length;
  const isFailed = failed > 0 || ran.some((file) => file.isFailed && !hasFailedTest(file));
  const isWhole = files.every((file) => ran.some(({ path }) => path === file));
  const isPassed = isWhole && passed > 0 && passed === tests.length;
  const state = isFailed ? 'FAILED' : isPassed ? 'passed' : 'not whole';
  const counted = isPassed ? String(passed) : `${passed} of ${tests.length}`;
  const missing = isWhole ? '' : `, ${ran.length} of ${files.length} files ran`;
  return `gate ${String(number).padStart(2)}  ${state.padEnd(9)}  ${about} (tests: ${counted}${missing})${open ? `; not held by them: ${open}` : ''}`;
}

const hasFailedTest = ({ tests }: FileResult): boolean =>
  tests.some(({ state }) => state === 'failed');

/** Titles that name no gate hold all of those that their file is listed for. */
function isOf(number: number, title: string): boolean {
  const named = /^gate (\d+):/.exec(title)?.[1];
  return named === undefined || Number(named) === number;
}

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
