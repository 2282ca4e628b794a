import { expect, test } from 'vitest';
import { nameOfTask, paramsOfHolders, sectionsOfHolders } from './holders.ts';

test('names everything that holds a thing, in words for programs and by section', () => {
  const params = paramsOfHolders({
    tasks: [3, 4].map(nameOfTask),
    schedules: [],
    templates: ['Build'],
    integrations: ['Push'],
  });
  expect(params).toEqual({
    templates: 'Build',
    integrations: 'Push',
    tasks: '#3, #4',
    names: 'template "Build", integration "Push", task #3, task #4',
  });
  expect(sectionsOfHolders(params)).toEqual([
    ['templates', 'Build'],
    ['integrations', 'Push'],
    ['tasks', '#3, #4'],
  ]);
});

test('names the first five, and says that there are more', () => {
  const keys = Array.from({ length: 7 }, (_, index) => `T${index}`);
  const { names, templates } = paramsOfHolders({ templates: keys });
  expect(templates).toBe('T0, T1, T2, T3, T4, …');
  expect(names).toBe(
    'template "T0", template "T1", template "T2", template "T3", template "T4", …',
  );
});
