import { expect, test } from 'vitest';
import { readStatusPlace } from '#shared/git/repository-url.ts';
import { statusRequest } from './status-hosts.ts';

const commit = 'ab'.repeat(20);
const status = (url: string) => ({
  url,
  token: 'the token',
  commit,
  state: 'stopped' as const,
  name: 'Deploy',
  description: 'x'.repeat(200),
  link: 'https://box.example/t',
});

const addresses: [host: 'github' | 'gitlab' | 'gitea', url: string, address: string][] = [
  ['github', 'https://github.com/team/code.git', 'https://api.github.com/repos/team/code'],
  ['github', 'git@github.com:team/code.git', 'https://api.github.com/repos/team/code'],
  ['github', 'ssh://git@ssh.github.com:443/team/code', 'https://api.github.com/repos/team/code'],
  ['github', 'git@ghe.example:team/code', 'https://ghe.example/api/v3/repos/team/code'],
  [
    'gitlab',
    'ssh://git@gitlab.example:2222/a/b/code.git/',
    'https://gitlab.example/api/v4/projects/a%2Fb%2Fcode',
  ],
  ['gitlab', 'https://me@gitlab.com/a/c++', 'https://gitlab.com/api/v4/projects/a%2Fc%2B%2B'],
  ['gitea', 'https://h.example:3000/t/code', 'https://h.example:3000/api/v1/repos/t/code'],
  ['gitea', 'https://h.example/git/t/code', 'https://h.example/git/api/v1/repos/t/code'],
  ['gitea', 'https://me@H.example/t/code', 'https://h.example/api/v1/repos/t/code'],
  ['gitea', 'http://h.example/t/code.git', 'http://h.example/api/v1/repos/t/code'],
];

test.each(addresses)('the API of %s for %s is at %s', (host, url, address) => {
  expect(statusRequest(host, status(url))?.url).toBe(`${address}/statuses/${commit}`);
});

test.each([
  '/srv/git/team/code',
  'file:///srv/team/code',
  'https://example.com/code.git',
  'git@example.com:a/../b/c',
  'https://example.com/a/../b/c',
  'https://example.com/a/%2e%2e/b%2fc/d',
  'https://example.com/a/%',
])('the address %s names no repository of an owner', (url) => {
  expect(readStatusPlace(url)).toBe(null);
  expect(statusRequest('gitea', status(url))).toBe(null);
});

test('each host gets its own words, and no text that is too long for it', () => {
  const sent = (host: 'github' | 'gitlab' | 'gitea') => {
    const { headers, body = '' } = statusRequest(host, status('https://h.example/t/c')) ?? {};
    return { headers, body: JSON.parse(body) as Record<string, string> };
  };
  const context = { context: 'Deploy', target_url: 'https://box.example/t' };
  expect(sent('github').body).toMatchObject({ state: 'error', ...context });
  expect(sent('gitea').body).toMatchObject({ state: 'error', ...context });
  expect(sent('gitlab').body).toMatchObject({ state: 'canceled', name: 'Deploy' });
  expect(sent('gitlab').body['description']).toHaveLength(140);
  expect(sent('github').headers).toMatchObject({ Authorization: 'Bearer the token' });
  expect(sent('gitlab').headers).toMatchObject({ 'PRIVATE-TOKEN': 'the token' });
  expect(sent('gitea').headers).toMatchObject({ Authorization: 'token the token' });
});
