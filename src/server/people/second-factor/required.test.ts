// Where a second factor is required, people without one may set it up, and do nothing else.

import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { secondFactor } from '#shared/api/second-factor.ts';
import { isOfRunner } from '#shared/permissions.ts';
import { session } from '#shared/api/session.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { users } from '#shared/api/users.ts';
import type { Config } from '../../config/config.ts';
import { password, testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { everyId } from '../../../../test/helpers/every-id.ts';
import { connect } from '../../../../test/helpers/live.ts';
import { withSecondFactor } from '../../../../test/helpers/second-factor.ts';
import { until } from '../../../../test/helpers/until.ts';

/** The same server with another rule. */
function demand(app: TestApp, rule: Config['secondFactor']): void {
  Object.assign(app.ctx.config, { secondFactor: rule });
}

test('every endpoint is closed to them but those by which they set it up', async () => {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  demand(app, 'all');
  const seen: string[] = [];
  for (const { name, endpoint } of endpoints) {
    // A runner is no person, and has no session.
    if (endpoint.permission === 'public' || isOfRunner(endpoint.permission)) continue;
    const url = pathOf(endpoint, { params: ids });
    const answer = await app.admin.raw({ method: endpoint.method, url, payload: ['not a body'] });
    const isRefused =
      answer.statusCode === 403 &&
      answer.json<{ code: string }>().code === 'session.second_factor_setup';
    if (!isRefused) seen.push(name);
  }
  expect(seen).toEqual([
    'secondFactor.state',
    'secondFactor.start',
    'secondFactor.confirm',
    'secondFactor.remove',
    'secondFactor.renewCodes',
    'users.current',
  ]);
  const open = endpoints.filter(({ endpoint }) => endpoint.permission === 'public');
  expect(open.map(({ name }) => name)).toEqual([
    'system.ping',
    'system.health',
    'system.openapi',
    'session.ways',
    'session.signIn',
    'session.verify',
    'session.recover',
    'session.signOut',
    'webhooks.receive',
    'webhooks.receiveEmpty',
    'webhooks.options',
    'runnerApi.register',
    'identity.begin',
    'identity.complete',
  ]);
  expect((await app.admin.ask(session.signOut, {})).status).toBe(204);
});

test('the websocket is closed to them, also one that is open already', async () => {
  const app = await testApp();
  const address = await app.listen();
  const { cookie } = app.admin;
  const ids = await everyId(app, app.admin);
  const client = await connect(address, { cookie });
  demand(app, 'all');
  await expect(connect(address, { cookie })).rejects.toThrow('403');
  const topic = { topic: 'project', project_id: Number(ids['project_id']) } as const;
  client.send({ type: 'subscribe', ...topic } as never);
  const code = await until(async () => (await client.closed) || undefined);
  expect(code).toBeGreaterThan(4000);
});

test('opens everything to the session that has set it up', async () => {
  const app = await testApp({ config: { secondFactor: 'all' } });
  const anna = await app.user('anna');
  const before = await anna.call(users.current, {});
  expect([before.second_factor, before.second_factor_setup]).toEqual([false, true]);
  expect((await anna.ask(users.list, {})).status).toBe(403);
  await withSecondFactor(app, anna);
  const after = await anna.call(users.current, {});
  expect([after.second_factor, after.second_factor_setup]).toEqual([true, false]);
  expect((await anna.ask(users.list, {})).status).toBe(200);
  await anna.call(secondFactor.remove, { body: { password } });
  expect((await anna.ask(users.list, {})).body.code).toBe('session.second_factor_setup');
});

test('may be demanded of administrators only, and never of API tokens', async () => {
  const app = await testApp();
  const anna = await app.user('anna');
  const { token } = await app.admin.call(tokens.create, { body: newToken.parse({}) });
  demand(app, 'administrators');
  expect((await anna.ask(users.list, {})).status).toBe(200);
  expect((await app.admin.ask(users.list, {})).status).toBe(403);
  expect((await app.withToken(token).ask(users.list, {})).status).toBe(200);
});
