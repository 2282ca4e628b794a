import { expect, test } from 'vitest';
import {
  bitsOf,
  builtInRights,
  completeRights,
  includesAll,
  isOfRunning,
  rightNames,
  roleNames,
  roles,
} from './rights.ts';

test('the bits of a built-in role follow from its rights', () => {
  for (const role of roleNames)
    expect([role, bitsOf(builtInRights[role])]).toEqual([role, roles[role]]);
});

test('each built-in role has all rights of the next one, and an owner every right', () => {
  expect(builtInRights.owner.size).toBe(rightNames.length);
  const pairs = roleNames.slice(1).map((role, index) => [roleNames[index] ?? role, role] as const);
  for (const [more, less] of pairs) {
    expect(includesAll(builtInRights[more], builtInRights[less])).toBe(true);
    expect(includesAll(builtInRights[less], builtInRights[more])).toBe(false);
  }
});

test('those who run tasks use what a launch may choose, and see it', () => {
  const added = [...builtInRights.task_runner].filter((right) => !builtInRights.guest.has(right));
  expect([...builtInRights.guest].filter((right) => !right.endsWith('.see'))).toEqual([
    'task.log',
    'workflow.approve',
  ]);
  expect(added).toEqual([
    'template.run',
    'task.restart',
    'task.stop',
    'task.confirm',
    'workflow.run',
    'inventory.use',
    'inventory.read',
    'environment.read',
    'execution_environment.use',
  ]);
});

test('who edits content also reads it', () => {
  expect(completeRights(['environment.edit', 'key.use'])).toEqual([
    'key.see',
    'key.use',
    'environment.see',
    'environment.read',
    'environment.edit',
  ]);
  expect(completeRights(['inventory.edit'])).toEqual([
    'inventory.see',
    'inventory.read',
    'inventory.edit',
  ]);
});

test('a token for running tasks reaches only what running takes', () => {
  expect(rightNames.filter(isOfRunning)).toEqual([
    'template.run',
    'task.restart',
    'task.stop',
    'task.confirm',
    'workflow.run',
  ]);
});
