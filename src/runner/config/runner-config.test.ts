import { describe, expect, test } from 'vitest';
import { isAllowedFolder } from './runner-config.ts';

describe('a folder is allowed', () => {
  const config = (...localRepositories: string[]) => ({ localRepositories });

  test.each(['/srv/git', '/srv/git/', '/srv/git/a/b', '/srv/git/a/../b', '/srv/other/../git/x'])(
    'inside a root: %s',
    (folder) => {
      expect(isAllowedFolder(config('/srv/git/'), folder)).toBe(true);
    },
  );

  test.each(['/srv', '/srv/gitx', '/srv/git/..', '/srv/git/../../etc', 'srv/git', '', '/etc'])(
    'not outside: %s',
    (folder) => {
      expect(isAllowedFolder(config('/srv/git', '/home/git'), folder)).toBe(false);
    },
  );

  test('anywhere when the root is the root of all', () => {
    expect(isAllowedFolder(config('/'), '/etc')).toBe(true);
    expect(isAllowedFolder(config(), '/etc')).toBe(false);
  });
});
