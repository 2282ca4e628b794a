import { get, setGlobalProxyFromEnv } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { onTestFinished, describe, expect, test } from 'vitest';
import { startReceiver } from '../../../test/helpers/receiver.ts';
import { noProxies, type Proxies } from '../../node/net/proxies.ts';
import { isHostOrNetwork, isPublic } from './address-rule.ts';
import { OutboundError, sendOutbound } from './outbound.ts';

const patient = (): AbortSignal => AbortSignal.timeout(5000);
const here = () => ({ allowed: ['127.0.0.1'], proxies: noProxies, signal: patient() });

interface Limits {
  allowed?: string[];
  signal?: AbortSignal;
  proxies?: Proxies;
}

async function reasonOf(
  url: string,
  { allowed = [], signal = patient(), proxies = noProxies }: Limits = {},
): Promise<string> {
  try {
    const { status } = await sendOutbound({ url, method: 'GET' }, { allowed, signal, proxies });
    return String(status);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.reason;
  }
}

describe('refuses what leads inside', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.8.9.1/',
    'http://localhost/',
    'http://LOCALHOST:8080/',
    // Other notations of an IPv4 address.
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.1.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[ff02::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fec0::1]/',
    'https://127.0.0.1/',
    'https://localhost/',
    'ftp://example.com/',
    'file:///etc/passwd',
  ])('%s', async (url) => {
    expect(await reasonOf(url)).toBe('refused_address');
  });
});

test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00::1'])(
  '%s belongs to the public internet',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test('what is no address belongs to nothing', () => {
  expect(['', 'localhost', '127.0.0.1.', '1.2.3'].map(isPublic)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

describe('reaches what the administrator allows', () => {
  test.each([['127.0.0.1'], ['127.0.0.0/8'], ['10.0.0.0/8', '127.0.0.0/30'], ['0.0.0.0/0']])(
    'by address: %s %s',
    async (...allowed) => {
      const { url } = await startReceiver();
      expect(await reasonOf(url, { allowed })).toBe('200');
    },
  );

  test('by name, whatever it resolves to', async () => {
    const { url } = await startReceiver();
    const named = url.replace('127.0.0.1', 'LocalHost');
    expect(await reasonOf(named, { allowed: ['localhost'] })).toBe('200');
    // The setting allows the name, but not its address.
    expect(await reasonOf(url, { allowed: ['localhost'] })).toBe('refused_address');
  });

  test('and nothing beside it', async () => {
    const allowed = ['10.0.0.0/8', '127.0.0.2', 'localhost.example', 'fd00::/8'];
    const { url, received } = await startReceiver();
    expect(await reasonOf(url, { allowed })).toBe('refused_address');
    const named = url.replace('127.0.0.1', 'localhost');
    expect(await reasonOf(named, { allowed })).toBe('refused_address');
    expect(received).toEqual([]);
  });
});

test('a redirect is an answer and not a way', async () => {
  const inside = await startReceiver();
  const outside = await startReceiver();
  outside.answer((response) => response.writeHead(302, { Location: inside.url }).end());
  expect(await reasonOf(outside.url, { allowed: ['127.0.0.1'] })).toBe('302');
  expect(inside.received).toEqual([]);
});

test('of a long answer only the beginning is read', async () => {
  const receiver = await startReceiver();
  let isCutOff = false;
  receiver.answer((response) => {
    response.on('close', () => {
      isCutOff = true;
    });
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      response.once('drain', more);
    };
    more();
  });
  const request = { url: receiver.url, method: 'GET' } as const;
  const answer = await sendOutbound(request, here());
  expect([answer.status, answer.body.length]).toEqual([200, 65_536]);
  await expect.poll(() => isCutOff).toBe(true);
});

test('an answer that breaks off still has its status', async () => {
  const receiver = await startReceiver();
  receiver.answer((response) => {
    response.writeHead(202, { 'Content-Length': '100' });
    response.write('only this', () => response.destroy());
  });
  const request = { url: receiver.url, method: 'GET' } as const;
  const answer = await sendOutbound(request, here());
  expect(answer).toMatchObject({ status: 202, body: 'only this' });
});

test('whoever does not answer is left when the time is over', async () => {
  const receiver = await startReceiver();
  receiver.answer(() => undefined);
  const signal = AbortSignal.timeout(100);
  expect(await reasonOf(receiver.url, { allowed: ['127.0.0.1'], signal })).toBe('timeout');
});

test('says why there is no answer', async () => {
  const tls = createTlsServer();
  const tcp = createTcpServer((socket) => socket.destroy());
  for (const server of [tls, tcp]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
  }
  const at = (server: typeof tls | typeof tcp): string =>
    `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const allowed = ['127.0.0.1'];
  // A server without a certificate refuses the handshake.
  expect(await reasonOf(`https://${at(tls)}/`, { allowed })).toBe('tls');
  expect(await reasonOf(`http://${at(tcp)}/`, { allowed })).toBe('connection');
  expect(await reasonOf('http://127.0.0.1:1/', { allowed })).toBe('connection');
  expect(await reasonOf('http://nowhere.invalid/')).toBe('unresolved');
});

test('neither proxies nor credentials of the process are used', async () => {
  const proxy = await startReceiver();
  const receiver = await startReceiver();
  onTestFinished(setGlobalProxyFromEnv({ http_proxy: proxy.url }));
  await fetchThroughProcess(receiver.url);
  expect([proxy.received.length, receiver.received.length]).toEqual([1, 0]);
  expect(await reasonOf(receiver.url, { allowed: ['127.0.0.1'] })).toBe('200');
  expect([proxy.received.length, receiver.received.length]).toEqual([1, 1]);
  const { headers = {} } = receiver.received[0] ?? {};
  expect(Object.keys(headers).toSorted()).toEqual(['connection', 'host']);
});

/** The same request as any other code in this process would send it. */
async function fetchThroughProcess(url: string): Promise<void> {
  await new Promise((resolve, reject) => {
    get(url, (answer) => answer.resume().on('end', resolve)).on('error', reject);
  });
}

test.each([
  ['chat.example.internal', true],
  ['localhost', true],
  ['10.0.0.0/8', true],
  ['fd00::/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['fd00::/129', false],
  ['http://chat.example.internal', false],
  ['chat.example.internal:8080', false],
  ['a b', false],
  ['', false],
])('takes "%s" for a host or network: %s', (text, isOne) => {
  expect(isHostOrNetwork(text)).toBe(isOne);
});
