import { expect, test } from 'vitest';
import { createOutline } from '../outline/outline.ts';
import { failedRanges, failedSections, failureFinder, type LineResult } from './failed-lines.ts';

const none = { ok: 0, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
const task = (line: number, counts: Partial<typeof none>) =>
  ({ ...none, ...counts, kind: 'task', name: `of ${line}`, line, section: line }) as const;

const { sections } = createOutline(
  [
    { ...none, kind: 'play', name: 'play', line: 1, section: 1 },
    task(2, { ok: 50 }),
    task(60, { ok: 1, failed: 2, ignored: 1 }),
    task(260, { rescued: 1 }),
    task(500, { ok: 5 }),
  ],
  true,
);
const failed = failedSections(sections);

test('sections in which a host failed are found, also if the playbook handles it', () => {
  expect(failed.map(({ line }) => line)).toEqual([60, 260]);
});

test.each([
  [[1, 2, 3], [{ from: 1, to: 250, failures: 3 }]],
  [
    [249, 250, 251],
    [
      { from: 1, to: 250, failures: 3 },
      { from: 251, to: 500, failures: 4 },
    ],
  ],
  [[501, 502], []],
])('around the lines %j, results are requested of the pages with failures', (shown, ranges) => {
  expect(failedRanges(failed, shown)).toEqual(ranges);
});

const items = { ok: 1, changed: 0, failed: 1, skipped: 0 };
const result = (host: string, line: number | null, more: Partial<LineResult>): LineResult => ({
  host,
  line,
  state: 'ok',
  items: null,
  ...more,
});

test('the line of a failure is one, and so are the lines of the items of its host', () => {
  const isFailure = failureFinder(
    [
      result('web-1', 61, {}),
      result('web-2', 63, { state: 'unreachable' }),
      result('web-3', 70, { state: 'ignored', items }),
      result('web-4', 71, { items }),
      result('web-5', null, { state: 'failed' }),
    ],
    failed,
  );
  const found = (line: number, text = '') => isFailure(line, text);
  expect([61, 62, 63, 64].filter((line) => found(line))).toEqual([63]);
  expect(found(65, 'failed: [web-3] (item=a)')).toBe(true);
  expect(found(65, 'ok: [web-4] (item=a)')).toBe(false);
  expect([59, 60, 71].filter((line) => found(line, 'web-3'))).toEqual([]);
});
