import { expect, test } from 'vitest';
import { firstError } from './first-error.ts';

test.each([
  [['Building', 'make: *** [all] Error 2', 'make: leaving'], 1, 'make: *** [all] Error 2'],
  [['ok', 'deploy.sh: line 3: kubectl: command not found'], 1, undefined],
  [['PLAY RECAP', 'web1 : ok=1 failed=0', 'ERROR! no action detected'], 2, undefined],
  [
    ['0 errors, 2 warnings', '  Permission denied (publickey).'],
    1,
    'Permission denied (publickey).',
  ],
])('the first error of %j is in line %i', (lines, from, headline) => {
  expect(firstError(lines)).toEqual({ from, headline: headline ?? lines[from] });
});

test('a traceback of Python is told by its last line, and quoted from its first', () => {
  const lines = [
    'Loading',
    'Traceback (most recent call last):',
    '  File "report.py", line 3, in <module>',
    "    open('failed.csv')",
    "FileNotFoundError: [Errno 2] No such file or directory: 'failed.csv'",
  ];
  expect(firstError(lines)).toEqual({ from: 1, headline: lines[4] });
});

test('a log without an error has none', () => {
  expect(firstError(['all good', 'failed=0', 'No errors found'])).toBeNull();
  expect(firstError([])).toBeNull();
});
