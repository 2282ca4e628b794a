import { expect, test } from 'vitest';
import { commitUrl, fileUrl } from './file-url.ts';

const place = { hash: 'abc123', path: 'roles/web server/tasks/main.yml', line: 23 };
const path = 'roles/web%20server/tasks/main.yml';

test.each([
  ['https://github.com/a/b.git', '', `https://github.com/a/b/blob/abc123/${path}#L23`],
  ['git@github.com:a/b.git', '', `https://github.com/a/b/blob/abc123/${path}#L23`],
  [
    'https://gitlab.example.com/g/s/b',
    '',
    `https://gitlab.example.com/g/s/b/-/blob/abc123/${path}#L23`,
  ],
  ['ssh://git@codeberg.org/a/b.git', '', `https://codeberg.org/a/b/src/commit/abc123/${path}#L23`],
  ['https://bitbucket.org/a/b', '', `https://bitbucket.org/a/b/src/abc123/${path}#lines-23`],
  [
    'https://code.example.com:8443/a/b',
    'gitea',
    `https://code.example.com:8443/a/b/src/commit/abc123/${path}#L23`,
  ],
] as const)('a file of %s is shown at its host', (repository, told, address) => {
  expect(fileUrl(repository, told, place)).toBe(address);
});

test('a file has no address at a host that is not known, or in a folder', () => {
  expect(fileUrl('https://code.example.com/a/b', '', place)).toBeNull();
  expect(fileUrl('https://notgithub.com/a/b', '', place)).toBeNull();
  expect(fileUrl('/srv/repositories/b', 'gitea', place)).toBeNull();
});

test('the address of a whole file names no line', () => {
  expect(fileUrl('https://github.com/a/b', '', { ...place, line: null })).toBe(
    `https://github.com/a/b/blob/abc123/${path}`,
  );
});

test.each([
  ['https://github.com/a/b.git', '', 'https://github.com/a/b/commit/abc123'],
  ['git@gitlab.com:g/s/b.git', '', 'https://gitlab.com/g/s/b/-/commit/abc123'],
  ['https://code.example.com/a/b', 'gitea', 'https://code.example.com/a/b/commit/abc123'],
  ['https://bitbucket.org/a/b', '', 'https://bitbucket.org/a/b/commits/abc123'],
  ['https://code.example.com/a/b', '', null],
  ['/srv/repositories/b', '', null],
] as const)('a commit of %s is shown at its host', (repository, told, address) => {
  expect(commitUrl(repository, told, 'abc123')).toBe(address);
});
