import { expect, test } from 'vitest';
import { urlType, withUrlType } from './url-type.ts';

test.each([
  ['', null],
  ['/srv/code', 'local'],
  ['git@example.com:code.git', 'ssh'],
  ['ssh://git@example.com/code.git', 'ssh'],
  ['https://', 'https'],
  ['GIT://example.com/code', 'git'],
  ['file:///srv/code', 'file'],
  ['http://example.com/code', null],
  ['ftp://example.com/code', null],
])('%s is of type %s', (url, type) => {
  expect(urlType(url)).toBe(type);
});

test.each([
  ['', 'https', 'https://'],
  ['', 'local', '/'],
  ['', 'file', 'file://'],
  ['https://', 'ssh', 'ssh://'],
  ['https://example.com/code.git', 'ssh', 'ssh://example.com/code.git'],
  ['https://example.com/code.git', 'git', 'git://example.com/code.git'],
  ['git@example.com:team/code.git', 'https', 'https://example.com/team/code.git'],
  ['git@example.com:team/code.git', 'ssh', 'git@example.com:team/code.git'],
  ['/srv/code', 'file', 'file:///srv/code'],
  ['file:///srv/code', 'local', '/srv/code'],
  ['/srv/code', 'https', 'https://srv/code'],
  ['http://example.com/code', 'https', 'https://example.com/code'],
] as const)('%s as %s is %s', (url, type, wanted) => {
  expect(withUrlType(url, type)).toBe(wanted);
});
