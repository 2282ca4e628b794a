// `node scripts/gates.ts REPORT...`: prints the lines of the release gates for several test runs
// together, from the JSON reports of vitest. A gate's files may belong to both suites.

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { gates } from '../test/security/release-gate.ts';
import { type FileResult, gateLines } from './gate-lines.ts';

interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { title: string; status: string }[];
  }[];
}

function resultsOf(file: string): FileResult[] {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return testResults.map(({ name, status, assertionResults }) => ({
    path: relative(process.cwd(), name),
    isFailed: status === 'failed',
    tests: assertionResults.map((test) => ({ title: test.title, state: test.status })),
  }));
}

console.log(gateLines(gates, process.argv.slice(2).flatMap(resultsOf)).join('\n'));
