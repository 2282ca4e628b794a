import { expect, test } from 'vitest';
import { projectNames } from './project-names.ts';

test('projects of one name are told apart by their numbers, and others have their name only', () => {
  const projects = [
    { id: 3, name: 'Billing' },
    { id: 5, name: 'Shop' },
    { id: 8, name: 'Billing' },
  ];
  expect(projects.map(projectNames(projects))).toEqual(['Billing #3', 'Shop', 'Billing #8']);
});
