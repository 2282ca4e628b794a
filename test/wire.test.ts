// The wire itself: errors, headers, methods, and the console's files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { endpoint, publicLimit } from '#shared/api/endpoint.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { loadConfig, type Config } from '../src/server/config.ts';
import type { Context } from '../src/server/context.ts';
import { createHttp } from '../src/server/http/serve.ts';
import { createServer } from '../src/server/http/server.ts';
import { createLog } from '../src/server/log.ts';
import { testApp } from './helpers/app.ts';
import { folder, seedProject } from './helpers/seed.ts';

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
      ['PATCH', '/api/project/1/keys/1', 'DELETE, GET, HEAD, PUT'],
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
        'cross-origin-opener-policy': 'same-origin',
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

/** The bare server with a console of two files. */
async function bareServer(change: Partial<Config> = {}, web = true): Promise<FastifyInstance> {
  const webDir = await folder();
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), '<html><style nonce="__CSP_NONCE__"></style></html>');
  writeFileSync(join(webDir, 'api-docs.html'), '<html></html>');
  writeFileSync(join(webDir, 'favicon.svg'), '<svg/>');
  writeFileSync(join(webDir, 'assets', 'main-1.js'), 'export {};');
  writeFileSync(join(webDir, '..', 'outside.txt'), 'outside');
  const config = { ...loadConfig({}), ...change };
  const server = await createServer(config, createLog('silent'), web ? webDir : null);
  onTestFinished(() => server.close());
  return server;
}

describe('the console', () => {
  test('is the same page at every address of a screen', async () => {
    const server = await bareServer();
    for (const url of [
      '/',
      '/project/1/history',
      '/auth/login?next=%2F',
      '/project/1.5x/y',
      '/users/',
    ]) {
      const { statusCode, headers, body } = await server.inject({ url });
      expect([url, statusCode]).toEqual([url, 200]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(body).toContain('<html>');
    }
  });

  test('is nowhere else, and says so to programs and to people', async () => {
    const server = await bareServer();
    for (const url of ['/metrics', '/healthz', '/readyz', '/none/at-all', '/assets', '/%75sers']) {
      for (const accept of [undefined, '*/*', 'application/json', 'text/plain;version=0.0.4']) {
        const answer = await server.inject({ url, ...(accept && { headers: { accept } }) });
        expect([url, accept, answer.statusCode]).toEqual([url, accept, 404]);
        expect(answer.json<ErrorBody>().code).toBe('request.not_found');
      }
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await server.inject({ url, headers });
      expect([url, page.statusCode]).toEqual([url, 404]);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('<html>');
    }
    const json = { url: '/users', headers: { accept: 'application/json' } };
    expect((await server.inject(json)).statusCode).toBe(404);
    const api = { url: '/api/none', headers: { accept: 'text/html' } };
    expect((await server.inject(api)).json<ErrorBody>().code).toBe('request.not_found');
  });

  test('has a policy with a nonce that is never used again', async () => {
    const server = await bareServer();
    const nonces: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { headers, body } = await server.inject({ url: '/' });
      const policy = String(headers['content-security-policy']);
      const nonce = /style-src 'self' 'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? '';
      expect(body).toBe(`<html><style nonce="${nonce}"></style></html>`);
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("object-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('has files that browsers may keep, and no others', async () => {
    const server = await bareServer();
    const asset = await server.inject({ url: '/assets/main-1.js' });
    expect(asset.statusCode).toBe(200);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['x-content-type-options']).toBe('nosniff');
    expect((await server.inject({ url: '/favicon.svg' })).body).toBe('<svg/>');
    for (const url of [
      '/assets/none.js',
      '/none.js',
      '/assets/../../outside.txt',
      '/assets/%2e%2e/%2e%2e/outside.txt',
      '/..%2foutside.txt',
      '/api/none',
      '/api',
    ]) {
      const answer = await server.inject({ url });
      expect([url, answer.statusCode]).toEqual([url, expect.toBeOneOf([403, 404])]);
      const body = answer.json<ErrorBody>();
      expect([url, body.code, body.request_id]).toEqual([
        url,
        'request.not_found',
        answer.headers['x-request-id'],
      ]);
    }
  });

  test('is absent where it has not been built', async () => {
    const server = await bareServer({}, false);
    const answer = await server.inject({ url: '/' });
    expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([404, 'request.not_found']);
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
    const http = createHttp(server, {} as Context, gate);
    const item = z.object({ id: z.number(), inner: z.object({ name: z.string() }) });
    const stray = { id: 1, secret: 'hidden', inner: { name: 'a', secret: 'hidden' } };
    const open = { ...freely, method: 'GET', summary: 'Test' } as const;
    http.serve(endpoint({ ...open, path: '/api/one', reply: item }), () => stray);
    http.serve(endpoint({ ...open, path: '/api/list', reply: z.array(item) }), () => [stray]);
    http.serve(
      endpoint({ ...open, path: '/api/stream', reply: z.array(item) }),
      async function* many() {
        yield await Promise.resolve(stray);
        yield stray;
      },
    );
    const cut = { id: 1, inner: { name: 'a' } };
    expect((await server.inject({ url: '/api/one' })).json()).toEqual(cut);
    expect((await server.inject({ url: '/api/list' })).json()).toEqual([cut]);
    expect((await server.inject({ url: '/api/stream' })).json()).toEqual([cut, cut]);
  });

  test('that fails says nothing of why', async () => {
    const server = await bareServer();
    const http = createHttp(server, {} as Context, gate);
    const open = { ...freely, method: 'GET', summary: 'Test' } as const;
    http.serve(endpoint({ ...open, path: '/api/broken', reply: z.string() }), () => {
      throw new Error('the password is hunter2');
    });
    http.serve(
      endpoint({ ...open, path: '/api/wrong', reply: z.string() }),
      () => ({ password: 'hunter2' }) as never,
    );
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
  });
});
