import { expect, test } from 'vitest';
import { excerptOf, find } from './find.ts';

test('a page stands before those that only mention it', () => {
  expect(find('schedules')[0]).toMatchObject({ page: 'schedules' });
});

test('all words have to be there', () => {
  expect(find('fail2ban xyzzy')).toEqual([]);
});

test('an excerpt has the word in its middle, whole words only, and says what is left out', () => {
  const text = `${'before '.repeat(40)}needle ${'after '.repeat(40)}`.trim();
  const excerpt = excerptOf(text, ['needle']);
  expect(excerpt).toMatch(/^… (?:before )+needle(?: after)+ …$/);
  expect(excerpt.length).toBeLessThan(160);
  expect(excerptOf('short', ['short'])).toBe('short');
  expect(excerptOf(text, ['absent'])).toMatch(/^before .* …$/);
});
