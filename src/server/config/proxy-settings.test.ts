import { describe, expect, test } from 'vitest';
import { noProxies } from '../../node/net/proxies.ts';
import { readProxies } from './proxy-settings.ts';

const loopback = 'localhost,127.0.0.1,::1';

describe('the variables of the service', () => {
  test.each([
    [{}, noProxies],
    [{ NO_PROXY: '*' }, noProxies],
    [{ HTTP_PROXY: '', https_proxy: ' ' }, noProxies],
    [{ HTTP_PROXY: 'http://p:1' }, { http: 'http://p:1', https: null, bypass: loopback }],
    [{ https_proxy: 'p:1' }, { http: null, https: 'http://p:1', bypass: loopback }],
    [{ HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1' }, { https: 'http://lower:1' }],
    [{ all_proxy: 'https://p' }, { http: 'https://p', https: 'https://p' }],
    [{ ALL_PROXY: 'http://all:1', HTTP_PROXY: 'http://p:1' }, { http: 'http://p:1' }],
    [
      { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1', ALL_PROXY: 'socks5://s:1' },
      { http: 'http://p:1', https: 'http://p:1' },
    ],
    [{ HTTP_PROXY: 'http://p:1', no_proxy: '.a' }, { bypass: `.a,${loopback}` }],
  ])('%o', (environment, expected) => {
    expect(readProxies(environment)).toMatchObject(expected);
  });

  test.each([
    ['HTTPS_PROXY', 'socks5://canary@proxy:1080'],
    ['HTTPS_PROXY', 'http://'],
    ['http_proxy', 'http://canary:pass word@proxy:port'],
    ['HTTP_PROXY', 'http://login:canary%zz@proxy:3128'],
    ['ALL_PROXY', 'ftp://login:canary@proxy'],
    ['HTTPS_PROXY', 'http://proxy:3128/canary'],
  ])('refuse %s=%s in one line without the value', (name, value) => {
    const read = () => readProxies({ [name]: value });
    expect(read).toThrow(`${name.toUpperCase()} holds a value that is hidden here, but must hold`);
    expect(read).not.toThrow(/canary|\n/);
  });
});
