// Which bodies of requests are read, as what, and which are refused.

import { describe, expect, test } from 'vitest';
import { publicLimit, takesBody } from '#shared/api/endpoint.ts';
import { endpoints } from '#shared/api/index.ts';
import { tokens } from '#shared/api/tokens.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { isDeeperThan } from '#shared/json-depth.ts';
import { isOfRunner } from '#shared/permissions.ts';
import { password, testApp } from './helpers/app.ts';
import { seedProject } from './helpers/seed.ts';

const post = (payload: string, type = 'application/json') => ({
  method: 'POST' as const,
  url: '/api/projects',
  headers: { 'content-type': type },
  payload,
});

describe('a request that cannot be read', () => {
  test('is told where its JSON is wrong', async () => {
    const app = await testApp();
    for (const [text, position] of [
      ['{"name": "a",}', 13],
      ['{"name": x}', 9],
      ['{"name": "a"', 12],
      ['{', 1],
    ] as const) {
      const answer = await app.admin.raw(post(text));
      const body = answer.json<ErrorBody>();
      expect([text, answer.statusCode, body.code]).toEqual([text, 400, 'request.malformed_json']);
      expect(body.error).toMatch(/^The body is not valid JSON: /);
      expect(body.error).toMatch(new RegExp(` at position ${position}(?!\\d)`));
    }
  });

  test('is refused when it is too large, with the limit', async () => {
    const app = await testApp();
    const answer = await app.admin.raw(post(`{"name": "${'x'.repeat(12 * 1024 * 1024)}"}`));
    const body = answer.json<ErrorBody>();
    expect([answer.statusCode, body.code]).toEqual([413, 'request.too_large']);
    expect(body.params).toEqual({ limit: 12 * 1024 * 1024 });
  });

  test('is refused when a page of a browser sends it as something else than JSON', async () => {
    const app = await testApp();
    const browsers: Record<string, string>[] = [
      { origin: 'http://localhost:3000', host: 'localhost:3000' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''];
    for (const browser of browsers) {
      for (const type of types) {
        const request = post('{"name": "a"}', type);
        const headers = { ...request.headers, ...browser };
        const answer = await app.admin.raw({ ...request, headers });
        const { code } = answer.json<ErrorBody>();
        expect([browser, type, answer.statusCode, code]).toEqual([
          browser,
          type,
          415,
          'request.unsupported_media_type',
        ]);
      }
    }
  });

  test('is read as a backup whatever it is called, and from our own pages only', async () => {
    const app = await testApp();
    const text = '{"meta": {"name": "Restored"}}';
    const own = { origin: 'http://localhost:3000', host: 'localhost:3000' };
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'];
    for (const type of types) {
      const request = { ...post(text, type), url: '/api/projects/restore' };
      const headers = { ...request.headers, ...own, 'sec-fetch-site': 'same-origin' };
      const answer = await app.admin.raw({ ...request, headers });
      expect([type, answer.statusCode, answer.json()]).toMatchObject([
        type,
        200,
        { name: 'Restored' },
      ]);
      const elsewhere = { ...headers, origin: 'https://elsewhere.example' };
      const refused = await app.admin.raw({ ...request, headers: elsewhere });
      expect([refused.statusCode, refused.json()]).toMatchObject([
        403,
        { code: 'request.cross_site' },
      ]);
    }
  });

  test('is refused when it is nested deeply, before anything is made of it', async () => {
    const app = await testApp();
    const deep = '['.repeat(4 * 1024 * 1024);
    for (const url of ['/api/projects', '/api/projects/restore']) {
      const answer = await app.admin.raw({ ...post(deep), url });
      const { code, params } = answer.json<ErrorBody>();
      expect([url, answer.statusCode, code]).toEqual([url, 400, 'request.too_deep']);
      expect(params).toEqual({ limit: 100 });
    }
    const begun = performance.now();
    expect(isDeeperThan(100, deep)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(100);
    const nested = `{"name": ${'['.repeat(99)}"[\\"[["${']'.repeat(99)}}`;
    const fields = (await app.admin.raw(post(nested))).json<ErrorBody>().fields;
    expect(fields?.[0]?.path).toBe('name');
  });

  test('is read no further when nobody has said who sends it', async () => {
    const app = await testApp();
    const large = `{"name": "${'x'.repeat(publicLimit)}"}`;
    const known = await app.admin.raw(post(large));
    expect(known.json<ErrorBody>().code).toBe('request.invalid');
    for (const { endpoint } of endpoints) {
      const { method, permission, webhook } = endpoint;
      if (method === 'GET' || method === 'OPTIONS' || webhook) continue;
      const url = endpoint.path.replace(/:\w+/g, '1');
      for (const payload of [large, '{']) {
        const answer = await app.nobody.raw({ ...post(payload), method, url });
        const isPublic = permission === 'public';
        const expected = payload === large ? 413 : 400;
        expect([url, answer.statusCode]).toEqual([url, isPublic ? expected : 401]);
      }
    }
    const nowhere = await app.nobody.raw({ ...post('{'), url: '/api/nothing' });
    expect(nowhere.statusCode).toBe(404);
  });

  test('is refused when it is missing where it would say what to do', async () => {
    const app = await testApp();
    const { projectId } = await seedProject(app.admin, null);
    const empty: string[] = [];
    for (const { name, endpoint } of endpoints) {
      const { method, permission } = endpoint;
      if (method === 'GET' || !takesBody(endpoint) || isOfRunner(permission)) continue;
      const url = endpoint.path.replace(':project_id', `${projectId}`).replace(/:\w+/g, '1');
      if (endpoint.optionalBody) {
        empty.push(name);
        continue;
      }
      for (const payload of ['', 'null']) {
        const answer = await app.admin.raw({ ...post(payload), method, url });
        const { code } = answer.json<ErrorBody>();
        const codes = ['request.body_missing', 'request.invalid'];
        expect([name, payload, answer.statusCode, codes.includes(code)]).toEqual([
          name,
          payload,
          400,
          true,
        ]);
      }
    }
    // These endpoints accept a missing body as they accept an empty one.
    expect(empty).toEqual([
      'tokens.create',
      'workflows.launch',
      'workflowRuns.stop',
      'workflowRuns.runAgain',
      'tasks.stopAll',
      'tasks.stop',
      'webhooks.receive',
    ]);
  });

  test('is refused when its address is broken', async () => {
    const app = await testApp();
    for (const url of [
      '/api/project/%',
      '/api/project/%zz/keys',
      `/api/project/${'1'.repeat(3001)}`,
    ]) {
      const answer = await app.admin.raw({ url });
      const { code } = answer.json<ErrorBody>();
      expect([url, answer.statusCode, code]).toEqual([url, 400, 'request.malformed_url']);
    }
  });
});

describe('a program', () => {
  test('may call its JSON anything, at signing in too', async () => {
    const app = await testApp();
    const types = ['application/x-www-form-urlencoded', 'text/plain', 'application', '', null];
    for (const type of types) {
      const headers = type === null ? {} : { 'content-type': type };
      // The body is sent as bytes, because the helper would add a content type.
      const send = (url: string, body: object, more: object = {}) =>
        app.nobody.raw({
          method: 'POST',
          url,
          headers: { ...headers, ...more },
          payload: Buffer.from(JSON.stringify(body)),
        });
      const signedIn = await send('/api/auth/login', { auth: 'root', password });
      expect([type, signedIn.statusCode]).toEqual([type, 204]);
      const cookie = { cookie: app.admin.cookie };
      const made = await send('/api/projects', { name: `Of ${type}` }, cookie);
      expect([type, made.statusCode]).toEqual([type, 201]);
    }
  });

  test('with a token may leave the type out, whatever else it sends', async () => {
    const app = await testApp();
    const { token } = await app.admin.call(tokens.create, { body: { scope: 'all' } });
    const request = {
      method: 'POST',
      url: '/api/projects',
      payload: Buffer.from('{"name": "a"}'),
    } as const;
    const origin = 'https://elsewhere.example';
    const headers = { origin, authorization: `Bearer ${token}` };
    expect((await app.nobody.raw({ ...request, headers })).statusCode).toBe(201);
    const named = { ...headers, 'content-type': 'text/plain' };
    expect((await app.nobody.raw({ ...request, headers: named })).statusCode).toBe(415);
  });
});
