import { expect, test } from 'vitest';
import { can, roles } from './permissions.ts';

test('integrations are for those who manage resources, and for those who change the project', () => {
  const masks = Array.from({ length: 16 }, (_, mask) => mask);
  const allowed = masks.filter((mask) => can(mask, 'manage_integrations'));
  expect(allowed).toEqual(masks.filter((mask) => (mask & 6) !== 0));
});

test('each role has the permissions of its mask', () => {
  const allowed = Object.fromEntries(
    Object.entries(roles).map(([role, mask]) => [
      role,
      (['run_tasks', 'update_project', 'manage_resources', 'manage_users'] as const).filter(
        (permission) => can(mask, permission),
      ),
    ]),
  );
  expect(allowed).toEqual({
    owner: ['run_tasks', 'update_project', 'manage_resources', 'manage_users'],
    manager: ['run_tasks', 'manage_resources'],
    task_runner: ['run_tasks'],
    guest: [],
  });
});
