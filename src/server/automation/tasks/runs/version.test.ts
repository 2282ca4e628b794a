import { expect, test } from 'vitest';
import { nextVersion } from './version.ts';

test.each([
  ['0.0.0', null, '0.0.0'],
  ['0.0.0', '0.0.0', '0.0.1'],
  ['1.4.8', '1.4.9', '1.4.10'],
  ['new-1.4-patch', 'new-1.5-patch', 'new-1.6-patch'],
  ['0', '7', '8'],
  ['v1', 'v99', 'v100'],
  // A new start version begins a new row.
  ['2.0', '1.9', '2.0'],
  ['1.20.0', '1.19.7', '1.20.0'],
  ['1.0.9', '1.0.3', '1.0.9'],
  ['1.0.9', '1.0.9', '1.0.10'],
  ['release', 'release', 'release'],
  ['v1', 'v1-beta', 'v1'],
  ['7', '99999999999999999999', '100000000000000000000'],
])('after start %s and %s comes %s', (start, current, next) => {
  expect(nextVersion(start, current)).toBe(next);
});
