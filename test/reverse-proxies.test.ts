// Slow: real proxies are started before whole servers.
// What reverse proxies ask of the server, and those of docs/guide/behind-a-proxy.md before it.

import { request } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { session } from '#shared/api/session.ts';
import { password, testApp } from './helpers/app.ts';
import { reverseProxies, startGuideProxy } from './helpers/guide-proxy.ts';
import { connect as openLive } from './helpers/live.ts';
import { remoteCaller } from './helpers/remote-caller.ts';
import { seedProject } from './helpers/seed.ts';
import { until } from './helpers/until.ts';

test('the default check of HAProxy finds the server well', async () => {
  const app = await testApp();
  await app.listen();
  const { port } = app.app.http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  // It sends no Host header.
  socket.write('OPTIONS / HTTP/1.0\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
  const named = { method: 'OPTIONS', url: '/', headers: { host: 'any.example' } } as const;
  expect((await app.nobody.raw(named)).statusCode).toBe(204);
  expect((await app.nobody.raw({ method: 'OPTIONS', url: '/api/projects' })).statusCode).toBe(405);
});

test('a websocket whose upgrade a proxy has dropped is refused with the reason', async () => {
  const app = await testApp();
  const dropped = [{}, { upgrade: 'websocket' }, { 'sec-websocket-version': '13' }];
  for (const headers of dropped) {
    const answer = await app.nobody.raw({ method: 'GET', url: '/api/ws', headers });
    expect([answer.statusCode, answer.headers['upgrade']]).toEqual([426, 'websocket']);
    expect(answer.json()).toMatchObject({
      code: 'request.no_upgrade',
      error: expect.stringContaining('A proxy has to forward the headers Upgrade and Connection'),
    });
  }
});

/** Signs in from one address, and claims in headers to come from another. */
function signInFrom(localAddress: string, address: string): Promise<number | undefined> {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'http',
  };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', localAddress, headers };
    const asked = request(`${address}/api/auth/login`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject);
    asked.end(JSON.stringify({ auth: 'root', password }));
  });
}

describe.each(reverseProxies)('%s with the configuration of the guide', (kind) => {
  test('passes on pages, addresses of people, websockets and large bodies', async () => {
    const app = await testApp({ config: { trustedProxies: ['127.0.0.1'] } });
    const address = await startGuideProxy(kind, await app.listen());
    expect(await signInFrom('127.0.0.2', address)).toBe(204);
    const owner = await remoteCaller(address, 'root', password);
    const sessions = await owner.call(session.list, {});
    expect(new Set(sessions.map(({ ip }) => ip))).toContain('127.0.0.2');
    expect(sessions.map(({ ip }) => ip)).not.toContain('203.0.113.9');
    const live = await openLive(address, { cookie: owner.cookie, origin: address });
    const { projectId } = await seedProject(owner, null);
    live.send({ type: 'subscribe', topic: 'project', project_id: projectId });
    await until(() => live.messages.length > 0);
    const large = { auth: 'x'.repeat(11 * 1024 * 1024) };
    const answer = await fetch(`${address}/api/projects`, {
      method: 'POST',
      headers: { cookie: owner.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(large),
    });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({})]);
  });
});
