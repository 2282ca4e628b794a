// Release on PostgreSQL: it is about the headers of requests.
// A server answers only to its own names, whatever the Host header says.

import { describe, expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { session } from '#shared/api/session.ts';
import { tokens } from '#shared/api/tokens.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { connect } from '../../../test/helpers/live.ts';
import { seedProject } from '../../../test/helpers/seed.ts';
import { createOwnHosts } from './request-origin.ts';

const settings = { host: '127.0.0.1', publicUrl: null, allowedHosts: [] };
const addresses = () => ['192.0.2.7', 'fe80::1', '127.0.0.1'];

test.each([
  ['itself', settings, ['127.0.0.1:3000', '127.0.0.1', 'localhost:80', 'LOCALHOST', '[::1]:3000']],
  ['loopback in all its forms', settings, ['127.1.2.3', '0x7f.1', 'localhost.', '2130706433']],
  ['the address that it listens on', { ...settings, host: '192.0.2.9' }, ['192.0.2.9:3000']],
  ['the name that it listens on', { ...settings, host: 'Box.lan' }, ['box.lan:3000']],
  [
    'the public address',
    { ...settings, publicUrl: 'https://signalbox.example/path' },
    ['signalbox.example', 'SIGNALBOX.example:443', 'signalbox.example.'],
  ],
  [
    'what the setting names',
    { ...settings, allowedHosts: ['box', '2001:db8::7', 'Box.Example'] },
    ['box:8080', '[2001:db8:0::7]:3000', 'box.example'],
  ],
  [
    'the addresses of the machine where it listens on all',
    { ...settings, host: '0.0.0.0' },
    ['192.0.2.7:3000', '[fe80::1]'],
  ],
])('it answers to %s', (_title, given, hosts) => {
  const isOwn = createOwnHosts(given, addresses);
  for (const host of hosts) expect([host, isOwn(host)]).toEqual([host, true]);
  const foreign = [
    'elsewhere.example',
    'localhost.elsewhere.example',
    '127.0.0.1.elsewhere.example',
    '203.0.113.1',
    'localhost@elsewhere.example',
    'elsewhere.example#localhost',
    'elsewhere.example/localhost',
    'localhost:99999',
    'a b',
    '',
  ];
  for (const host of foreign) expect([host, isOwn(host)]).toEqual([host, false]);
});

test('the addresses of the machine are read each time, and only where it listens on all', () => {
  let list: string[] = [];
  const isOwn = createOwnHosts({ ...settings, host: '::' }, () => list);
  expect(isOwn('192.0.2.7')).toBe(false);
  list = ['192.0.2.7'];
  expect(isOwn('192.0.2.7')).toBe(true);
  expect(createOwnHosts(settings, addresses)('192.0.2.7')).toBe(false);
});

const foreign = 'elsewhere.example';

describe('under another name', () => {
  test('every request of a browser is refused, with the setting in words', async () => {
    const app = await testApp();
    const open: string[] = [];
    const answered: string[] = [];
    for (const { name, endpoint } of endpoints) {
      const answer = await app.admin.raw({
        method: endpoint.method,
        url: endpoint.path.replace(/:\w+/g, '1'),
        headers: { host: foreign, origin: `http://${foreign}` },
      });
      if (endpoint.anyHost) open.push(name);
      else if (answer.statusCode !== 421) answered.push(name);
    }
    expect(answered).toEqual([]);
    // Programs, not browsers, send these requests, under any name of the server.
    expect(open.filter((name) => !name.startsWith('runnerApi.'))).toEqual([
      'system.ping',
      'system.health',
      'webhooks.receive',
      'webhooks.receiveEmpty',
      'webhooks.options',
    ]);
    const { statusCode, body } = await app.nobody.raw({ url: '/', headers: { host: foreign } });
    expect(statusCode).toBe(421);
    expect(body).toContain('SIGNALBOX_ALLOWED_HOSTS');
  });

  test('a token opens what it opens, and the websocket keeps to the same rule', async () => {
    const app = await testApp();
    const { token } = await app.admin.call(tokens.create, { body: { scope: 'read' } });
    const authorization = `Bearer ${token}`;
    const headers = { host: foreign, authorization };
    expect((await app.nobody.raw({ url: '/api/user', headers })).statusCode).toBe(200);
    const address = await app.listen();
    const { cookie } = app.admin;
    const misled = { cookie, host: foreign, origin: `http://${foreign}` };
    await expect(connect(address, misled)).rejects.toThrow('421');
    await expect(connect(address, { cookie, host: foreign })).rejects.toThrow('421');
    const isOpen = await connect(address, headers);
    expect(isOpen.socket.readyState).toBe(isOpen.socket.OPEN);
  });

  test('no address is made of it', async () => {
    const app = await testApp({ config: { allowedHosts: ['box.example'] } });
    const { projectId } = await seedProject(app.admin, null);
    const url = `/api/project/${projectId}/integrations/aliases`;
    const made = async (host: string) =>
      app.admin.raw({ method: 'POST', url, headers: { host }, payload: {} });
    expect((await made(foreign)).statusCode).toBe(421);
    expect((await made('box.example:3000')).json()).toMatchObject({
      url: expect.stringMatching(/^http:\/\/box\.example:3000\//),
    });
  });

  test('a page of the public address keeps its websocket behind a proxy that changes the name', async () => {
    const publicUrl = 'https://signalbox.example';
    const app = await testApp({ config: { publicUrl } });
    const address = await app.listen();
    const { cookie } = app.admin;
    const isOpen = await connect(address, { cookie, host: 'upstream', origin: publicUrl });
    expect(isOpen.socket.readyState).toBe(isOpen.socket.OPEN);
    const ways = await app.nobody.call(session.ways, {});
    expect(ways.login_with_password).toBe(true);
  });
});
