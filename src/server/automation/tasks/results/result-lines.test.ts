import { expect, test } from 'vitest';
import type { RunResult } from '#shared/api/run-results.ts';
import { usualResult as usual } from '../../../../../test/helpers/usual-result.ts';
import { fromLine, toLine } from './result-lines.ts';

const full: RunResult = {
  ...usual,
  begin: '2026-05-01T10:00:00.000Z',
  duration_ms: 12,
  line: 7,
  state: 'failed',
  message: 'Two\nlines\tand a tab\0',
  output: 'out',
  error_output: 'err',
  exit_code: 0,
  diffs: [{ name: '/etc/motd', text: '@@ -1,1 +1,1 @@\n-a\n+b' }],
  changed: true,
  delegated_to: 'two',
  tries: 3,
  items: { ok: 0, changed: 0, failed: 1, skipped: 0 },
  shown_items: [
    {
      item: 'a',
      state: 'failed',
      message: '',
      output: '',
      error_output: '',
      exit_code: null,
      diffs: [],
    },
  ],
  is_hidden: true,
  is_cut: true,
};

test.each([
  ['with nothing unusual', usual],
  ['with everything', full],
])('a result %s is one line, which is read as it was', (_how, result) => {
  const line = toLine(result);
  expect(line).not.toContain('\n');
  expect(fromLine(line, 1, {})).toEqual(result);
});

test('what is usual takes no room', () => {
  expect(toLine(usual)).toBe('2\tone\tok\t{"begin":null,"duration_ms":0}');
});

test.each([
  [{ host: 'one' }, true],
  [{ host: 'on' }, false],
  [{ state: 'ok' as const }, true],
  [{ state: 'failed' as const }, false],
  [{ sections: new Set([1, 2]) }, true],
  [{ sections: new Set([1, 22]) }, false],
  [{ host: 'one', state: 'failed' as const }, false],
])('a reader who asks for %j gets it: %s', (filter, isWanted) => {
  expect(fromLine(toLine(usual), 1, filter) !== null).toBe(isWanted);
});

test('a name cannot end a field or a line', () => {
  const line = toLine({ ...usual, host: 'a\tfailed\t{}\nb\r\0' });
  expect(line.split('\n')).toHaveLength(1);
  expect(fromLine(line, 4, {})).toMatchObject({
    host: 'a\uFFFDfailed\uFFFD{}\uFFFDb\uFFFD\uFFFD',
    state: 'ok',
    id: 4,
  });
});
