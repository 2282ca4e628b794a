// A signed request starts nothing when somebody who has seen it sends it again, in whatever form.

import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deliveries } from '#shared/api/deliveries.ts';
import { keys } from '#shared/api/keys.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { makeReceiver } from '../../../../test/helpers/integrations.ts';
import { createApp } from '../../app.ts';

const password = 'the secret of the sender';
const day = 86_400_000;

async function start(auth_method: 'github' | 'bitbucket' | 'hmac') {
  const { app, seed, params } = await appWithProject(null);
  const { id: template_id } = await seed.template();
  const login_password = { login: 'hook', password };
  const key = await app.admin.call(keys.create, {
    params,
    body: { name: 'Hook', type: 'login_password', login_password },
  });
  const fields = { template_id, auth_method, auth_secret_id: key.id };
  const receiver = () => makeReceiver(app.admin, seed.projectId, fields);
  const launched = async () => (await app.admin.call(tasks.list, { params })).length;
  return { app, receiver, launched };
}

type Encoding = 'hex' | 'base64';

function signed(body: string, hash = 'sha256', encoding: Encoding = 'hex') {
  const signature = `${hash}=${createHmac(hash, password).update(body).digest(encoding)}`;
  const names = { 'x-hub-signature-256': signature, 'x-hub-signature': signature };
  return { 'content-type': 'application/json', ...names };
}

const body = JSON.stringify({ ref: 'main', after: 'a1' });

describe('a signed request', () => {
  test.each(['github', 'bitbucket', 'hmac'] as const)(
    'starts a task once, whatever its sender calls it: %s',
    async (method) => {
      const { app, receiver, launched } = await start(method);
      const { send, deliveries: list, alias } = await receiver();
      const named = (name: string) => ({ ...signed(body), 'x-github-delivery': name });
      await send({ body, headers: named('one') });
      expect(await launched()).toBe(1);
      for (const name of ['one', 'two', 'three']) await send({ body, headers: named(name) });
      await send({ body, headers: signed(body) });
      // Another server on the same data recognises the request as well.
      const other = await createApp(app.ctx, app.parts);
      const url = `/api/integrations/${alias}`;
      const request = { method: 'POST', url, headers: named('four'), payload: body } as const;
      const again = await other.http.inject(request);
      expect([again.statusCode, again.json<{ code: string }>().code]).toEqual([
        409,
        'webhook.duplicate',
      ]);
      await other.close();
      expect(await launched()).toBe(1);
      expect((await list()).map(({ reason: { code } }) => code)).toEqual([
        ...Array<string>(3).fill('delivery.signature_used'),
        'delivery.signature_used',
        'delivery.duplicate',
        'delivery.matched',
      ]);
      const fresh = JSON.stringify({ ref: 'main', after: 'a2' });
      await send({ body: fresh, headers: signed(fresh) });
      expect(await launched()).toBe(2);
      // Another integration does not know the request.
      await (await receiver()).send({ body, headers: signed(body) });
      expect(await launched()).toBe(3);
    },
  );

  test('is the same in every form that its signature can have', async () => {
    const { receiver, launched } = await start('hmac');
    const { send } = await receiver();
    await send({ body, headers: signed(body) });
    for (const hash of ['sha1', 'sha256', 'sha512']) {
      for (const encoding of ['hex', 'base64'] as const) {
        const answer = await send({ body, headers: signed(body, hash, encoding) });
        expect([hash, encoding, answer.statusCode]).toEqual([hash, encoding, 409]);
      }
    }
    expect(await launched()).toBe(1);
  });

  test('of many at once starts one task, and a day later another one', async () => {
    const { app, receiver, launched } = await start('github');
    const { send } = await receiver();
    const post = () => send({ body, headers: signed(body) });
    await Promise.all(Array.from({ length: 5 }, post));
    expect(await launched()).toBe(1);
    app.clock.advance(day - 60_000);
    await post();
    expect(await launched()).toBe(1);
    app.clock.advance(60_001);
    await post();
    expect(await launched()).toBe(2);
    const kept = await app.ctx.db.selectFrom('integration_signed').selectAll().execute();
    expect(kept).toHaveLength(1);
  });

  test('that started nothing may come again, and people replay what they like', async () => {
    const { app, receiver, launched } = await start('github');
    const { send, match, newest, params } = await receiver();
    const matcher = await match({ value: 'other' });
    await send({ body, headers: signed(body) });
    expect((await newest()).result).toBe('not_matched');
    await app.ctx.db.deleteFrom('integration_matchers').where('id', '=', matcher).execute();
    await send({ body, headers: signed(body) });
    expect(await launched()).toBe(1);
    const { id } = await newest();
    await app.admin.call(deliveries.replay, { params: { ...params, delivery_id: id } });
    expect(await launched()).toBe(2);
  });
});
