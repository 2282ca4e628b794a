import { beforeAll, expect, test } from 'vitest';
import { noLimits } from '#shared/grants/limits.ts';
import { renderAt } from '../../../../test/components/render.tsx';
import { limitsBody, limitValues } from './limit-values.ts';
import { limitsText } from './limit-words.ts';

// Loads the words.
beforeAll(() => renderAt(<p />));

const all = {
  tags: ['web', 'db'],
  hosts: ['web1'],
  branches: ['main'],
  answers: { version: ['1', '2'] },
  dry_run: true,
  hours: { days: [5, 1], from: '22:00', to: '04:00', time_zone: 'Europe/Berlin' },
  second_person: true,
};

test('each limit is said, and no limits are empty', () => {
  expect(limitsText(noLimits)).toBe('');
  expect(limitsText(all).split(' · ')).toEqual([
    'only tags web, db',
    'only hosts web1',
    'only branches main',
    'version only 1, 2',
    'dry run only',
    'a second person confirms',
    'only Mon, Fri 22:00–04:00 (Europe/Berlin)',
  ]);
});

test('the form keeps all limits of templates and views, of inventories the hosts only', () => {
  const values = limitValues(all);
  expect(limitsBody(values, 'template')).toEqual(all);
  expect(limitsBody(values, 'view')).toEqual(all);
  expect(limitsBody(values, 'inventory')).toEqual({ ...noLimits, hosts: ['web1'] });
  expect(limitsBody(values, 'key')).toEqual(noLimits);
});
