// Answers that are compressed for the clients that accept it.

import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { projects } from '#shared/api/projects.ts';
import { testApp } from './helpers/app.ts';
import { bareServer } from './helpers/bare-server.ts';
import { seedProject } from './helpers/seed.ts';

const unpackings = new Map([
  ['gzip', (packed: Buffer) => gunzipSync(packed)],
  ['zstd', (packed: Buffer) => zstdDecompressSync(packed)],
]);

test('an answer is compressed for clients that accept it, where that is worth it', async () => {
  const app = await testApp();
  const plain = await app.nobody.raw({ url: '/api/openapi.json' });
  const headers = { 'accept-encoding': 'br;q=1.0, gzip;q=0.8, *;q=0.1' };
  const short = await app.nobody.raw({ url: '/api/openapi.json', headers });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(short.headers['content-encoding']).toBe('gzip');
  expect(short.headers['vary']).toMatch(/accept-encoding/i);
  expect(short.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  expect(gunzipSync(short.rawPayload).toString()).toBe(plain.body);
  const ping = await app.nobody.raw({ url: '/api/ping', headers });
  expect([ping.headers['content-encoding'], ping.body]).toEqual([undefined, 'pong']);
  const refused = { 'accept-encoding': 'gzip;q=0' };
  const whole = await app.nobody.raw({ url: '/api/openapi.json', headers: refused });
  expect([whole.statusCode, whole.headers['content-encoding']]).toEqual([200, undefined]);
});

test('an answer is compressed by zstd for clients that name it, as browsers do', async () => {
  const app = await testApp();
  const plain = await app.nobody.raw({ url: '/api/openapi.json' });
  const cases = [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.5, gzip;q=0.8', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['*', 'gzip'],
    ['br, *;q=0.1', 'gzip'],
  ];
  for (const [accepted = '', chosen = ''] of cases) {
    const headers = { 'accept-encoding': accepted };
    const short = await app.nobody.raw({ url: '/api/openapi.json', headers });
    expect([accepted, short.headers['content-encoding']]).toEqual([accepted, chosen]);
    const unpack = unpackings.get(chosen);
    expect(unpack?.(short.rawPayload).toString()).toBe(plain.body);
  }
});

test('an answer keeps what its headers promise when it is compressed', async () => {
  const app = await testApp();
  const { projectId } = await seedProject(app.admin, null);
  const accepting = { 'accept-encoding': 'gzip' };
  const { id } = await app.admin.call(environments.create, {
    params: { project_id: projectId },
    body: { name: 'Long', json: JSON.stringify({ x: 'x'.repeat(2000) }) },
  });
  const one = `/api/project/${projectId}/environment/${id}`;
  const plain = await app.admin.raw({ url: one });
  const short = await app.admin.raw({ url: one, headers: accepting });
  const head = await app.admin.raw({ url: one, headers: accepting, method: 'HEAD' });
  expect(plain.headers).toMatchObject({ etag: '"r1"', vary: 'Accept-Encoding' });
  // A strong tag would promise the same bytes.
  expect(short.headers).toMatchObject({ etag: 'W/"r1"', vary: 'Accept-Encoding' });
  expect(Number(short.headers['content-length'])).toBe(short.rawPayload.length);
  for (const name of ['content-length', 'content-encoding', 'etag']) {
    expect([name, head.headers[name]]).toEqual([name, short.headers[name]]);
  }
  expect(head.body).toBe('');
  const exported = await app.admin.raw({
    url: '/api/events/export',
    headers: accepting,
    method: 'HEAD',
  });
  expect([exported.statusCode, exported.body]).toEqual([200, '']);
  const none = await app.admin.raw({ url: one, headers: accepting, method: 'DELETE' });
  expect([none.statusCode, none.headers['content-encoding']]).toEqual([204, undefined]);
});

test('an answer is compressed only from five hundred bytes', async () => {
  const server = await bareServer();
  const isPublic = { config: { permission: 'public' } } as const;
  server.get('/api/text/:length', isPublic, ({ params }, reply) => {
    const { length } = params as { length: string };
    return reply.type('text/plain').send('\u00e4'.repeat(Number(length) / 2));
  });
  server.get('/api/bytes', isPublic, (_request, reply) =>
    reply.type('application/octet-stream').send(Buffer.alloc(9000)),
  );
  const headers = { 'accept-encoding': 'gzip' };
  const encodingOf = async (url: string): Promise<unknown> =>
    (await server.inject({ url, headers })).headers['content-encoding'];
  expect(await encodingOf('/api/text/510')).toBeUndefined();
  expect(await encodingOf('/api/text/512')).toBe('gzip');
  expect(await encodingOf('/api/bytes')).toBeUndefined();
  // Short answers are compressed in another way than long ones.
  for (const length of [512, 8190, 8192, 100_000]) {
    for (const [encoding, unpack] of unpackings) {
      const url = `/api/text/${length}`;
      const packed = await server.inject({ url, headers: { 'accept-encoding': encoding } });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(unpack(packed.rawPayload).toString()).toBe('\u00e4'.repeat(length / 2));
    }
  }
});

test('an answer that is a stream is compressed as it is sent', async () => {
  const app = await testApp();
  for (let count = 0; count < 10; count += 1) {
    await app.admin.call(projects.create, { body: { name: `Project ${count}` } });
  }
  const url = '/api/events/export';
  const plain = await app.admin.raw({ url });
  const short = await app.admin.raw({ url, headers: { 'accept-encoding': 'gzip' } });
  expect(plain.body).toContain('Project 9');
  expect(short.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(short.rawPayload).toString()).toBe(plain.body);
  const shorter = await app.admin.raw({ url, headers: { 'accept-encoding': 'gzip, zstd' } });
  expect(shorter.headers['content-encoding']).toBe('zstd');
  expect(zstdDecompressSync(shorter.rawPayload).toString()).toBe(plain.body);
});
