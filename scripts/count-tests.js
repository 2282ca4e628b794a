// Prints "N passed, N failed" of all given JSON reports of vitest together, as the last line of a
// CI run, which fails if one failed or was skipped. This file is plain JavaScript: it runs on the
// machine's own Node, also after a set-up that failed.

import { readFileSync } from 'node:fs';

/** @typedef {{ status: string, message?: string, assertionResults: { status: string }[] }} TestFile */

let passed = 0;
let failed = 0;
let skipped = 0;

/** @param {string} file */
function readReport(file) {
  try {
    /** @type {{ testResults: TestFile[] }} */
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return report.testResults;
  } catch {
    console.log('Some tests did not run to their end, so there is no report of them.');
    process.exitCode = 1;
    return [];
  }
}

for (const testFile of process.argv.slice(2).flatMap(readReport)) {
  for (const { status } of testFile.assertionResults) {
    if (status === 'passed') passed += 1;
    else if (status === 'failed') failed += 1;
    else skipped += 1;
  }
  // A file that cannot be loaded, or whose hooks fail, counts as a failed test.
  const hasFailedTest = testFile.assertionResults.some(({ status }) => status === 'failed');
  if (testFile.status === 'failed' && !hasFailedTest) failed += 1;
}

if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || skipped > 0 || passed === 0) process.exitCode = 1;
