import { beforeAll, expect, test } from 'vitest';
import { rightsAbout } from '#shared/grants/granted-types.ts';
import { builtInRights, type Role } from '#shared/rights.ts';
import { renderAt } from '../../../../test/components/render.tsx';
import { abilityWords } from './access-words.ts';

// Loads the words.
beforeAll(() => renderAt(<p />));

test.each([
  ['template', 'owner', 'Read logs, Run, Edit, Give access'],
  ['template', 'task_runner', 'Read logs, Run'],
  ['view', 'manager', 'Read logs, Run, Edit'],
  ['workflow', 'guest', 'Read logs'],
  ['inventory', 'task_runner', 'Read, Use'],
  ['key', 'manager', 'Use, Edit'],
  ['key', 'guest', 'See'],
] as const)('on a %s, %s may: %s', (type, role: Role, words) => {
  expect(abilityWords(type, [...rightsAbout(type, builtInRights[role])])).toBe(words);
});
