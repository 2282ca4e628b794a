import { expect, test } from 'vitest';
import {
  isBypassed,
  noProxies,
  proxyFor,
  proxyVariables,
  proxyWords,
  secretsInAddresses,
  shownProxy,
} from './proxies.ts';

const loopback = 'localhost,127.0.0.1,::1';

test('each kind of address has its own proxy', () => {
  const proxies = { http: 'http://a:1', https: null, bypass: 'git.example' };
  expect(proxyFor(new URL('http://hub.example'), proxies)).toBe('http://a:1');
  expect(proxyFor(new URL('https://hub.example'), proxies)).toBe(null);
  expect(proxyFor(new URL('http://git.example'), proxies)).toBe(null);
});

test.each([
  ['http://a.example', '*', true],
  ['http://a.example', 'example', true],
  ['http://a.example', '.example', true],
  ['http://a.example', '*.example', true],
  ['http://A.Example.', 'EXAMPLE', true],
  ['http://example', '.example', true],
  ['http://notexample', 'example', false],
  ['http://a.example', 'b.a.example', false],
  ['http://a.example', '', false],
  ['http://a.example', ' , .', false],
  ['http://a.example', 'x.example b.example,a.example', true],
  ['http://a.example', 'a.example:80', true],
  ['https://a.example', 'a.example:80', false],
  ['https://a.example:8443', 'a.example:8443', true],
  ['http://10.1.2.3', '10.0.0.0/8', true],
  ['http://11.1.2.3', '10.0.0.0/8', false],
  ['http://10.1.2.3', '10.1.2.3', true],
  ['http://10.1.2.3', '10.1.2.3:81', false],
  ['http://10.1.2.3', '2.3', false],
  ['http://10.1.2.3', '10.0.0.0/99', false],
  ['http://[fd00::1]', 'fd00::/8', true],
  ['http://[fd00::1]', '[fd00::1]:80', true],
  ['http://[::1]', loopback, true],
  ['http://localhost', loopback, true],
])('%s with NO_PROXY=%s is reached directly: %s', (url, list, expected) => {
  expect(isBypassed(new URL(url), list)).toBe(expected);
});

test('a start names the proxies without their logins', () => {
  expect(proxyWords(noProxies)).toBe(null);
  const given = { http: 'http://q:2', https: 'http://a:canary@p:1', bypass: '.internal' };
  expect(proxyWords(given)).toBe(
    'Proxy: http through http://q:2, https through http://p:1; directly: .internal',
  );
});

test('programs get both spellings', () => {
  expect(proxyVariables({ http: null, https: 'http://p:1', bypass: loopback })).toEqual({
    HTTPS_PROXY: 'http://p:1',
    https_proxy: 'http://p:1',
    NO_PROXY: loopback,
    no_proxy: loopback,
  });
  expect(proxyVariables(noProxies)).toEqual({});
});

test('logins in addresses are secrets, as they stand there and decoded', () => {
  expect(secretsInAddresses('http://anna:p%40ss@proxy:3128')).toEqual(['p%40ss', 'p@ss']);
  expect(secretsInAddresses('http://token@proxy:3128')).toEqual(['token', 'token']);
  expect(secretsInAddresses('https://a:one@x/simple https://b:two@y')).toEqual([
    'one',
    'one',
    'two',
    'two',
  ]);
  expect(secretsInAddresses('http://proxy:3128')).toEqual([]);
  expect(shownProxy('http://anna:p%40ss@proxy:3128')).toBe('http://proxy:3128');
});
