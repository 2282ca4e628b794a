import { expect, test } from 'vitest';
import { keys } from '#shared/api/keys.ts';
import { matchers } from '#shared/api/matchers.ts';
import { users } from '#shared/api/users.ts';
import { defineResource } from './resource.ts';

const keyResource = defineResource({ noun: 'key', endpoints: keys, alsoRefresh: [users.list] });

test('a row is addressed by its scope and the last param of the path', () => {
  const matcherResource = defineResource({
    noun: 'matcher',
    endpoints: matchers,
    params: ({ id }: { id: number }) => ({ project_id: 1, integration_id: id }),
  });
  expect(keyResource.params({ projectId: 2 })).toEqual({ project_id: 2 });
  expect(keyResource.paramsOf({ projectId: 2 }, 3)).toEqual({ project_id: 2, key_id: 3 });
  expect(matcherResource.paramsOf({ id: 5 }, 7)).toEqual({
    project_id: 1,
    integration_id: 5,
    matcher_id: 7,
  });
});

test('a change refreshes lists and the row, a deletion only lists', () => {
  const lists = [keys.list.path, users.list.path];
  expect(keyResource.create().meta.refresh).toEqual([...lists, keys.one.path]);
  expect(keyResource.update().meta.refresh).toEqual([...lists, keys.one.path]);
  expect(keyResource.remove().meta.refresh).toEqual(lists);
});

test('a row is called by its own name unless the resource says otherwise', () => {
  const byType = defineResource({
    noun: 'key',
    endpoints: keys,
    nameOf: ({ type }: { type: string }) => type,
  });
  expect(keyResource.nameOf({ id: 1, name: 'deploy' })).toBe('deploy');
  expect(byType.nameOf({ type: 'ssh' })).toBe('ssh');
});
