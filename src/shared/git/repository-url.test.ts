import { describe, expect, test } from 'vitest';
import { localPath, repositoryType } from './repository-url.ts';

const accepted: [url: string, type: string][] = [
  ['ssh://git@example.com/team/code.git', 'ssh'],
  ['ssh://git@example.com:2222/team/code.git', 'ssh'],
  ['ssh://example.com/code', 'ssh'],
  ['SSH://example.com/code', 'ssh'],
  ['ssh://[2001:db8::1]:22/code', 'ssh'],
  ['git@example.com:team/code.git', 'ssh'],
  ['example.com:team/code.git', 'ssh'],
  ['my-host:code', 'ssh'],
  ['git@example.com:~user/code.git', 'ssh'],
  ['https://example.com/team/code.git', 'https'],
  ['https://user@example.com/team/code.git', 'https'],
  ['https://user:word@example.com:8443/code', 'https'],
  ['http://example.com/code.git', 'http'],
  ['git://example.com/code.git', 'git'],
  ['file:///srv/git/code.git', 'file'],
  ['file:///srv/git/with%20space.git', 'file'],
  ['/srv/git/code', 'local'],
  ['/', 'local'],
];

const refused = [
  '',
  'code',
  'relative/path',
  './code',
  '../code:x/y',
  '~/code',
  'ext::sh -c id',
  'ext::sh%20-c%20id',
  'fd::17',
  'ssh::git@example.com/code',
  '--upload-pack=touch /tmp/x',
  '--upload-pack=id:x',
  '-oProxyCommand=id',
  '-oProxyCommand=id:x',
  '-oProxyCommand=id@example.com:x',
  'ssh://-oProxyCommand=id/x',
  'ssh://-oProxyCommand=id@example.com/x',
  'ssh://git@-oProxyCommand=id/x',
  'ssh://',
  'ssh://example.com',
  'https://',
  'https:///code',
  'https://example.com',
  'https://exa mple.com/code',
  'https://example.com/a\nb',
  'ftp://example.com/code',
  'rsync://example.com/code',
  'transport-helper://example.com/code',
  'local:///srv/git',
  'file://srv/git/code.git',
  'file://-x/code',
  'file:///srv/%',
  'file:///srv/%ff',
  'file:///srv/%00/x',
  'file:///srv/a b',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  ':path',
  'host:',
  'host: path',
  'host::path',
];

describe('the type of a repository address', () => {
  test.each(accepted)('%s is %s', (url, type) => {
    expect(repositoryType(url)).toBe(type);
  });
  test.each(refused)('%j is none that we take', (url) => {
    expect(repositoryType(url)).toBeNull();
  });
});

describe('the folder of a repository address', () => {
  const folders: [url: string, folder: string | null][] = [
    ['/srv/git/code', '/srv/git/code'],
    ['/srv/%2e%2e', '/srv/%2e%2e'],
    ['file:///srv/git', '/srv/git'],
    ['FILE:///srv/git', '/srv/git'],
    ['file:///srv/with%20space', '/srv/with space'],
    ['file:///srv/%2e%2e/etc', '/srv/../etc'],
    // git decodes these slashes too.
    ['file:///srv/x%2f..%2F..%2fetc', '/srv/x/../../etc'],
    ['file:///srv/%2500', '/srv/%00'],
    ['file:///srv/%00', null],
    ['https://example.com/code', null],
    ['git@example.com:/srv/git', null],
  ];
  test.each(folders)('%s: %s', (url, folder) => {
    expect(localPath(url)).toBe(folder);
  });
});
