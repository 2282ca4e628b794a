// One line for each gate of the release: its state, its subject, and how many tests checked it. A gate has
// passed if all its files ran and every test in them passed; a gate of which no file ran has no line.

import type { Gate } from '../test/security/release-gate.ts';

/** The result of one test file on one engine. */
export interface FileResult {
  path: string;
  isFailed: boolean;
  tests: { title: string; state: string }[];
}

/** One line for each gate that has a file that ran. */
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
  const missing = files.filter((file) => !ran.some(({ path }) => path === file));
  const isPassed = missing.length === 0 && passed > 0 && passed === tests.length;
  const state = isFailed ? 'FAILED' : isPassed ? 'passed' : 'not whole';
  const counted = isPassed ? String(passed) : `${passed} of ${tests.length}`;
  const left =
    missing.length === 0 ? '' : `, ${files.length - missing.length} of ${files.length} files ran`;
  return `gate ${String(number).padStart(2)}  ${state.padEnd(9)}  ${about} (tests: ${counted}${left})${open ? `; not held by them: ${open}` : ''}`;
}

const hasFailedTest = ({ tests }: FileResult): boolean =>
  tests.some(({ state }) => state === 'failed');

/** A title that names no gate belongs to all gates that list its file. */
function isOf(number: number, title: string): boolean {
  const named = /^gate (\d+):/.exec(title)?.[1];
  return named === undefined || Number(named) === number;
}
