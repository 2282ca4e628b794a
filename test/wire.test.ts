// Errors, headers and methods of HTTP.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint, publicLimit } from '#shared/api/endpoint.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { createHttp } from '../src/server/http/serve.ts';
import { testApp } from './helpers/app.ts';
import { appWithProject } from './helpers/app-with-project.ts';
import { bareServer } from './helpers/bare-server.ts';

const post = (payload: string, type = 'application/json') => ({
  method: 'POST' as const,
  url: '/api/projects',
  headers: { 'content-type': type },
  payload,
});

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
    const { app, seed } = await appWithProject(null);
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

test('a request that arrives while the server closes is refused like any other', async () => {
  const server = await bareServer();
  const answers: [number, unknown][] = [];
  // It comes after the hook of the server itself.
  server.addHook('preClose', async () => {
    const answer = await fetch(`${address}/api/ping`);
    answers.push([answer.status, ((await answer.json()) as ErrorBody).code]);
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  await server.close();
  expect(answers).toEqual([[503, 'request.unavailable']]);
});

describe('a route', () => {
  const gate = {
    authenticate: () => Promise.resolve(null),
    authenticateRunner: () => Promise.resolve(null),
    roleIn: () => Promise.resolve(null),
    objectsOf: () => Promise.reject(new Error('not in a project')),
    governing: () => Promise.resolve(null),
    giversOf: async () => [],
    scopeOf: () => Promise.resolve(null),
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
        error: 'Something went wrong on the server. Its log has the details.',
        code: 'request.internal',
        params: {},
        request_id: answer.headers['x-request-id'],
      });
    }
    expect(begun).toEqual(['broken', 'wrong']);
  });
});
