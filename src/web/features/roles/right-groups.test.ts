import { expect, test } from 'vitest';
import { rightNames } from '#shared/rights.ts';
import { groupsOf } from './right-groups.ts';

test('each right is in one group', () => {
  const grouped = groupsOf(() => true).flatMap(({ rights }) => rights);
  expect(grouped.toSorted()).toEqual([...rightNames].toSorted());
});

test('a group without a shown right is left out', () => {
  expect(groupsOf((right) => right === 'key.use')).toEqual([
    { group: 'keys', rights: ['key.use'] },
  ]);
});
