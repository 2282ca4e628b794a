import { createServer } from 'node:https';
import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startForwardProxy } from '../../../test/helpers/forward-proxy.ts';
import { makeCertificate } from '../../../test/helpers/git-http.ts';
import { startReceiver } from '../../../test/helpers/receiver.ts';
import { readProxies } from '../config/proxy-settings.ts';
import { OutboundError, sendOutbound } from './outbound.ts';

interface ProxyRequest {
  proxy: string;
  allowed?: string[];
  bypass?: string;
  ms?: number;
}

async function ask(url: string, { proxy, allowed = [], bypass = '', ms = 5000 }: ProxyRequest) {
  const proxies = readProxies({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: bypass });
  const limits = { allowed, proxies, signal: AbortSignal.timeout(ms) };
  try {
    return String((await sendOutbound({ url, method: 'GET' }, limits)).status);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.reason;
  }
}

/** A server with a certificate for the name `chat.example`, which only the proxy can resolve. */
async function startChat(): Promise<string> {
  const certificate = await makeCertificate('chat.example');
  const files = { cert: readFileSync(certificate), key: readFileSync(`${certificate}.key`) };
  const server = createServer(files, (_request, response) => response.end('taken'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, files.cert.toString()]);
  onTestFinished(() => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('https goes through the tunnel of a proxy, which resolves the name', async () => {
  const proxy = await startForwardProxy({
    account: 'signalbox:p@ss word',
    hosts: { 'chat.example:443': await startChat() },
  });
  expect(await ask('https://chat.example/hook', { proxy: proxy.url })).toBe('200');
  expect(proxy.seen).toEqual(['CONNECT chat.example:443']);
});

test('http is asked of the proxy, and the login of the proxy goes no further', async () => {
  const receiver = await startReceiver();
  const proxy = await startForwardProxy({
    account: 'signalbox:secret',
    hosts: { 'chat.example': new URL(receiver.url).host },
  });
  expect(await ask('http://chat.example/hook?a=b', { proxy: proxy.url })).toBe('200');
  expect(proxy.seen).toEqual(['GET http://chat.example/hook?a=b']);
  expect(receiver.received[0]?.path).toBe('/hook?a=b');
  expect(JSON.stringify(receiver.received)).not.toContain('roxy-auth');
});

test('what NO_PROXY names, and this machine, is reached directly', async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const proxy = await startForwardProxy();
  const allowed = ['127.0.0.0/8', 'localhost'];
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await ask(`http://${host}:${port}/`, { proxy: proxy.url, allowed })).toBe('200');
  }
  const bypass = '127.0.0.0/8';
  expect(await ask(`http://127.0.0.2:${port}/`, { proxy: proxy.url, allowed, bypass })).toBe(
    'connection',
  );
  expect([proxy.seen, receiver.received.length]).toEqual([[], 2]);
});

describe('nothing inside is asked of a proxy', () => {
  let proxy: Awaited<ReturnType<typeof startForwardProxy>>;
  beforeEach(async () => {
    proxy = await startForwardProxy();
  });
  test.each([
    'http://127.0.0.2/',
    'https://127.0.0.2/',
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd12:3456::1]/',
    'http://2130706434/',
    'https://localhost/',
    // A name that this machine resolves to an address of its own.
    `http://${hostname()}/`,
  ])('%s', async (url) => {
    expect(await ask(url, { proxy: proxy.url })).toBe('refused_address');
    expect(proxy.seen).toEqual([]);
  });
});

test('an internal address that is allowed goes through the proxy', async () => {
  const receiver = await startReceiver();
  const proxy = await startForwardProxy({ hosts: { '10.1.2.3': new URL(receiver.url).host } });
  expect(await ask('http://10.1.2.3/', { proxy: proxy.url, allowed: ['10.1.0.0/16'] })).toBe('200');
  expect(proxy.seen).toEqual(['GET http://10.1.2.3/']);
});

describe('says that the proxy is the reason', () => {
  test.each(['http', 'https'])('when it wants a login: %s', async (scheme) => {
    const proxy = await startForwardProxy({ account: 'signalbox:secret' });
    const url = `${scheme}://chat.example/`;
    expect(await ask(url, { proxy: proxy.shown })).toBe('proxy');
    expect(proxy.seen).toEqual([expect.stringMatching(/^407 /)]);
  });

  test('when nothing listens at its address', async () => {
    expect(await ask('https://chat.example/', { proxy: 'http://127.0.0.1:1' })).toBe('proxy');
  });

  test('and not when it does not answer in time', async () => {
    const proxy = await startForwardProxy({ isSilent: true });
    expect(await ask('https://chat.example/', { proxy: proxy.url, ms: 3000 })).toBe('timeout');
  });
});
