// The address to which other programs send: methods, bodies, origins, and how much of it.

import { describe, expect, test } from 'vitest';
import { tasks } from '#shared/api/tasks.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { makeReceiver } from '../../../../test/helpers/integrations.ts';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const { id: template_id } = await seed.template();
  const receiver = () => makeReceiver(app.admin, seed.projectId, { template_id });
  return { app, receiver, launched: () => app.admin.call(tasks.list, { params }) };
}

describe('the receiver', () => {
  test('takes GET as a request without a body, and answers OPTIONS', async () => {
    const { receiver, launched } = await start();
    const { send: post, newest, match } = await receiver();
    expect((await post({ method: 'GET' })).statusCode).toBe(204);
    expect(await newest()).toMatchObject({ method: 'GET', result: 'started' });
    expect((await post({ method: 'OPTIONS' })).statusCode).toBe(204);
    expect((await post({ method: 'HEAD' })).statusCode).toBe(405);
    expect(await launched()).toHaveLength(1);
    await match({});
    await post({ method: 'GET' });
    expect((await newest()).reason.code).toBe('delivery.not_json');
  });

  test('takes any type of body up to a mebibyte', async () => {
    const { receiver, launched } = await start();
    const { send: post, match } = await receiver();
    await match({ body_data_type: 'string', method: 'contains', value: 'main' });
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain; charset=latin1',
      'application/vnd.vendor+json',
      'multipart/form-data; boundary=x',
    ];
    for (const [index, type] of types.entries()) {
      const headers = { 'content-type': type };
      expect([type, (await post({ body: '{"main', headers })).statusCode]).toEqual([type, 204]);
      expect(await launched()).toHaveLength(index + 1);
    }
    const most = Buffer.alloc(1024 * 1024, 'main');
    expect((await post({ body: most })).statusCode).toBe(204);
    const tooMuch = await post({ body: Buffer.concat([most, Buffer.from('!')]) });
    const { code, params } = tooMuch.json<ErrorBody>();
    expect([tooMuch.statusCode, code, params]).toEqual([
      413,
      'request.too_large',
      { limit: 1024 * 1024 },
    ]);
    expect(await launched()).toHaveLength(types.length + 1);
  });

  test('is for programs of any origin, and ignores sessions', async () => {
    const { app, receiver, launched } = await start();
    const { send: post, newest } = await receiver();
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await post({ headers: { ...headers, cookie: app.admin.cookie } })).statusCode).toBe(
      204,
    );
    expect((await launched())[0]).toMatchObject({ user_id: null });
    expect(await newest()).toMatchObject({ result: 'started' });
    const elsewhere = await app.admin.raw({
      method: 'POST',
      url: '/api/projects',
      headers,
      payload: { name: 'x' },
    });
    expect(elsewhere.statusCode).toBe(403);
  });

  test('accepts many requests from one address, but not any number', async () => {
    const { app } = await start();
    const statuses: number[] = [];
    for (let count = 0; count < 601; count += 1) {
      const { statusCode } = await app.app.http.inject({ url: '/api/integrations/nothing' });
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array(600).fill(404), 429]);
  });
});
