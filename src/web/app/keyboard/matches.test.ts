import { expect, test } from 'vitest';
import { matches } from './matches.ts';

test.each([
  ['', true],
  ['redis prod', true],
  ['PROD redis', true],
  ['rp', true],
  ['r', true],
  ['cache', true],
  ['redis cache', true],
  ['rx', false],
  ['redis staging', false],
  ['r p x', false],
])('"%s" finds a template by its words or initials: %s', (query, isFound) => {
  expect(matches(['Redis Production', undefined, 'The cache'], query)).toBe(isFound);
});
