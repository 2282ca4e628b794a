// Only on PostgreSQL: several servers need a database that they can share.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { createApp } from '../app.ts';
import { openContext } from '../open-context.ts';

test('asking several servers in turn gains nothing', async () => {
  const app = await testApp();
  const otherContext = await openContext(app.parts);
  const other = await createApp(otherContext, app.parts);
  const signIn = async ({ http }: typeof other, remoteAddress: string) => {
    const payload = { auth: `nobody-${randomUUID()}`, password: 'a wrong password' };
    const url = '/api/auth/login';
    return http.inject({ method: 'POST', url, payload, remoteAddress });
  };
  const statuses: number[] = [];
  for (let count = 0; count < 15; count += 1) {
    for (const server of [app.app, other]) {
      statuses.push((await signIn(server, '192.0.2.1')).statusCode);
    }
  }
  expect([...new Set(statuses)]).toEqual([401]);
  for (const server of [app.app, other]) {
    const refused = await signIn(server, '192.0.2.1');
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
      429,
      'request.rate_limited',
    ]);
    const wait = Number(refused.headers['retry-after']);
    expect(wait > 0 && wait <= 60).toBe(true);
    expect((await signIn(server, '192.0.2.2')).statusCode).toBe(401);
    // Each endpoint has its own count.
    const elsewhere = { method: 'POST', url: '/api/runner/register', payload: {} } as const;
    const { statusCode } = await server.http.inject({ ...elsewhere, remoteAddress: '192.0.2.1' });
    expect(statusCode).toBe(400);
  }
  app.clock.advance(61_000);
  expect((await signIn(other, '192.0.2.1')).statusCode).toBe(401);
  await other.close();
  await otherContext.close();
});
