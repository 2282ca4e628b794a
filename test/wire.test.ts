// Errors, headers and methods of HTTP.

import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint, publicLimit } from '#shared/api/endpoint.ts';
import { environments } from '#shared/api/environments.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { createHttp } from '../src/server/http/serve.ts';
import { testApp } from './helpers/app.ts';
import { bareServer } from './helpers/bare-server.ts';
import { seedProject } from './helpers/seed.ts';

const post = (payload: string, type = 'application/json') => ({
  method: 'POST' as const,
  url: '/api/projects',
  headers: { 'content-type': type },
  payload,
});

const unpackings = new Map([
  ['gzip', (packed: Buffer) => gunzipSync(packed)],
  ['zstd', (packed: Buffer) => zstdDecompressSync(packed)],
]);

describe('methods and addresses', () => {
  test('that nobody serves are 404, in JSON', async () => {
    const app = await testApp();
    for (const url of ['/api/nothing', '/api', '/api/project/1/keys/1/more', '/nothing']) {
      const answer = await app.nobody.raw({ url });
      const body = answer.json<ErrorBody>();
      expect([url, answer.statusCode, body.code]).toEqual([url, 404, 'request.not_found']);
      expect(body.params).toEqual({ method: 'GET', path: url });
    }
  });

  test('that only others serve are 405, with what is allowed', async () => {
    const app = await testApp();
    const cases = [
      ['DELETE', '/api/projects', 'GET, HEAD, POST'],
      ['POST', '/api/project/1/keys/1', 'DELETE, GET, HEAD, PATCH, PUT'],
      ['PATCH', '/api/project/1/keys', 'GET, HEAD, POST'],
      ['GET', '/api/auth/logout', 'POST'],
      ['POST', '/api/openapi.json', 'GET, HEAD'],
      ['PUT', '/api/user/?a=b', 'GET, HEAD'],
      ['QUERY', '/api/user', 'GET, HEAD'],
    ] as const;
    for (const [method, url, allowed] of cases) {
      const answer = await app.admin.raw({ method: method as 'PUT', url });
      const { code } = answer.json<ErrorBody>();
      expect([url, answer.statusCode, code]).toEqual([url, 405, 'request.method_not_allowed']);
      expect(String(answer.headers['allow']).split(', ').sort().join(', ')).toBe(allowed);
    }
  });

  test('are the same with a slash at the end', async () => {
    const app = await testApp();
    expect((await app.admin.raw({ url: '/api/projects/' })).json()).toEqual([]);
    const made = await app.admin.raw({ ...post('{"name": "a"}'), url: '/api/projects/' });
    expect(made.statusCode).toBe(201);
  });

  test('answer HEAD where they answer GET', async () => {
    const app = await testApp();
    const seed = await seedProject(app.admin, null);
    for (const url of ['/api/ping', '/api/user', `/api/project/${seed.projectId}/keys`]) {
      const [get, head] = [
        await app.admin.raw({ url }),
        await app.admin.raw({ url, method: 'HEAD' }),
      ];
      expect([url, get.statusCode, head.statusCode, head.body]).toEqual([url, 200, 200, '']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
    expect((await app.nobody.raw({ url: '/api/user', method: 'HEAD' })).statusCode).toBe(401);
  });
});

test('a compressed request is not unpacked, since it could become a large one', async () => {
  const app = await testApp();
  const { payload, ...request } = post('{"name": "a"}');
  const headers = { ...request.headers, 'content-encoding': 'gzip' };
  const answer = await app.admin.raw({ ...request, headers, payload: gzipSync(payload) });
  expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([
    400,
    'request.malformed_json',
  ]);
});

describe('every answer', () => {
  test('has an id of its own, which an error repeats and a caller cannot choose', async () => {
    const app = await testApp();
    const ids: unknown[] = [];
    for (const url of ['/api/user', '/api/nothing', '/api/project/%', '/api/projects']) {
      const answer = await app.nobody.raw({ url, headers: { 'x-request-id': 'chosen' } });
      const id = answer.headers['x-request-id'];
      expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      expect(answer.json<ErrorBody>().request_id).toBe(id);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(4);
  });

  test('of the API tells browsers to trust nothing in it, and to keep nothing', async () => {
    const app = await testApp();
    for (const url of ['/api/ping', '/api/user', '/api/nothing', '/api/openapi.json']) {
      const { headers } = await app.nobody.raw({ url });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('is compressed for clients that accept it, where that is worth it', async () => {
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

  test('is compressed by zstd for clients that name it, as browsers do', async () => {
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

  test('keeps what its headers promise when it is compressed', async () => {
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

  test('is compressed only from a thousand bytes', async () => {
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
    expect(await encodingOf('/api/text/1022')).toBeUndefined();
    expect(await encodingOf('/api/text/1024')).toBe('gzip');
    expect(await encodingOf('/api/bytes')).toBeUndefined();
    // Short answers are compressed in another way than long ones.
    for (const length of [1024, 8190, 8192, 100_000]) {
      for (const [encoding, unpack] of unpackings) {
        const url = `/api/text/${length}`;
        const packed = await server.inject({ url, headers: { 'accept-encoding': encoding } });
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(unpack(packed.rawPayload).toString()).toBe('\u00e4'.repeat(length / 2));
      }
    }
  });

  test('that is a stream is compressed as it is sent', async () => {
    const app = await testApp();
    for (let count = 0; count < 10; count += 1) {
      await app.admin.raw(post(`{"name": "Project ${count}"}`));
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

  test('asks for https from then on when that is the public address', async () => {
    const app = await testApp({ config: { publicUrl: 'https://signalbox.example' } });
    const { headers } = await app.nobody.raw({ url: '/api/ping' });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('to ping is the plain text "pong"', async () => {
    const app = await testApp();
    const answer = await app.nobody.raw({ url: '/api/ping' });
    expect(answer.body).toBe('pong');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('a route', () => {
  const gate = {
    authenticate: () => Promise.resolve(null),
    authenticateRunner: () => Promise.resolve(null),
    roleIn: () => Promise.resolve(null),
  };

  test('under /api that declares no permission stops the start', async () => {
    const server = await bareServer();
    expect(() => server.get('/api/open', () => 'open')).toThrow(
      'GET /api/open declares no permission',
    );
    expect(() => server.get('/api/stated', { config: { permission: 'public' } }, () => 'x'))
      .not //
      .toThrow();
  });

  const freely = { permission: 'public', rateLimit: { max: 9, windowSeconds: 9 } } as const;

  test('that anybody may call has a limit', () => {
    const open = { method: 'POST', path: '/api/x', permission: 'public', summary: 'X' } as const;
    expect(() => endpoint(open)).toThrow('anybody may call it, so it needs a rate limit');
    expect(endpoint({ ...open, ...freely }).bodyLimit).toBe(publicLimit);
  });

  test('in a project cannot ask for less than membership', () => {
    const declare = (permission: 'public' | 'user' | 'admin') => () =>
      endpoint({ method: 'GET', path: '/api/project/:project_id/x', permission, summary: 'X' });
    for (const permission of ['public', 'user', 'admin'] as const) {
      expect(declare(permission)).toThrow('does not fit');
    }
  });

  test('lets no field out that its reply does not name', async () => {
    const server = await bareServer();
    const { ctx } = await testApp();
    const http = createHttp(server, ctx, gate);
    const item = z.object({ id: z.number(), inner: z.object({ name: z.string() }) });
    const stray = { id: 1, secret: 'hidden', inner: { name: 'a', secret: 'hidden' } };
    const open = { ...freely, method: 'GET', summary: 'Test' } as const;
    http.serve(endpoint({ ...open, path: '/api/one', reply: item }), () => stray);
    http.serve(endpoint({ ...open, path: '/api/list', reply: z.array(item) }), () => [stray]);
    http.serve(
      endpoint({ ...open, path: '/api/stream', reply: z.array(item) }),
      async function* many() {
        yield await Promise.resolve([]);
        yield [stray];
        yield [stray, stray];
      },
    );
    http.serve(
      endpoint({ ...open, path: '/api/empty', reply: z.array(item) }),
      async function* none() {
        yield await Promise.resolve([]);
      },
    );
    const cut = { id: 1, inner: { name: 'a' } };
    expect((await server.inject({ url: '/api/one' })).json()).toEqual(cut);
    expect((await server.inject({ url: '/api/list' })).json()).toEqual([cut]);
    expect((await server.inject({ url: '/api/stream' })).json()).toEqual([cut, cut, cut]);
    expect((await server.inject({ url: '/api/empty' })).json()).toEqual([]);
  });

  test('that fails says nothing of why', async () => {
    const server = await bareServer();
    const { ctx } = await testApp();
    const http = createHttp(server, ctx, gate);
    const open = { ...freely, method: 'GET', summary: 'Test' } as const;
    const begun: string[] = [];
    http.serve(endpoint({ ...open, path: '/api/broken', reply: z.string() }), () => {
      begun.push('broken');
      throw new Error('the password is hunter2');
    });
    http.serve(endpoint({ ...open, path: '/api/wrong', reply: z.string() }), () => {
      begun.push('wrong');
      return { password: 'hunter2' } as never;
    });
    for (const url of ['/api/broken', '/api/wrong']) {
      const answer = await server.inject({ url });
      expect(answer.statusCode).toBe(500);
      expect(answer.json()).toEqual({
        error: 'Something went wrong on the server. It has been logged.',
        code: 'request.internal',
        params: {},
        request_id: answer.headers['x-request-id'],
      });
    }
    expect(begun).toEqual(['broken', 'wrong']);
  });
});
