import { describe, expect, test } from 'vitest';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { addChannel, alertConfig } from '../../../../test/helpers/alerts.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { startReceiver } from '../../../../test/helpers/receiver.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

const smtpUrl = 'smtp://127.0.0.1:1';

async function start(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  return { seed, params: { project_id: seed.projectId } };
}

const webhook = { name: 'Hook', type: 'webhook', address: 'https://example.com/hook' } as const;

test('a channel is made, read, changed and deleted', async () => {
  const app = await testApp();
  const { seed, params } = await start(app);
  const { id: one } = await seed.template();
  const { id: two } = await seed.template();
  const made = await app.admin.call(alertChannels.create, {
    params,
    body: { ...webhook, secret: 'signs', template_ids: [two, one, two] },
  });
  expect(made).toEqual({
    id: made.id,
    project_id: seed.projectId,
    name: 'Hook',
    type: 'webhook',
    active: true,
    events: ['failed', 'recovered', 'waiting'],
    template_ids: [one, two],
    workflow_ids: [],
    addresses: [],
    chat: '',
    host: 'example.com',
    has_secret: true,
    available: true,
  });
  const at = { params: { ...params, alert_channel_id: made.id } };
  expect(await app.admin.call(alertChannels.one, at)).toEqual(made);
  expect(await app.admin.call(alertChannels.list, { params })).toEqual([made]);
  const body = { ...webhook, name: 'Other', active: false, events: ['stopped', 'failed'] };
  await app.admin.call(alertChannels.update, { ...at, body: body as never });
  expect(await app.admin.call(alertChannels.one, at)).toEqual({
    ...made,
    name: 'Other',
    active: false,
    events: ['failed', 'stopped'],
    template_ids: [],
  });
  await app.admin.call(alertChannels.remove, at);
  expect((await app.admin.ask(alertChannels.one, at)).body.code).toBe('alert_channel.not_found');
  expect((await app.admin.ask(alertChannels.remove, at)).status).toBe(404);
  const { body: refusal } = await app.admin.ask(alertChannels.test, at);
  expect(refusal.code).toBe('alert_channel.not_found');
});

test('a name is given once in a project, and a stale copy changes nothing', async () => {
  const app = await testApp();
  const { params } = await start(app);
  const other = await start(app);
  const first = await app.admin.call(alertChannels.create, { params, body: webhook });
  const again = await app.admin.ask(alertChannels.create, { params, body: webhook });
  expect([again.status, again.body.code]).toEqual([409, 'alert_channel.name_taken']);
  await app.admin.call(alertChannels.create, { params: other.params, body: webhook });
  const second = await addChannel(app.admin, params.project_id, { name: 'Second' });
  const at = { params: { ...params, alert_channel_id: second.id } };
  const renamed = await app.admin.ask(alertChannels.update, { ...at, body: webhook });
  expect(renamed.body.code).toBe('alert_channel.name_taken');
  const body = { ...webhook, name: 'Third' };
  const stale = { ...at, body, ifMatch: '"r7"' };
  expect((await app.admin.ask(alertChannels.update, stale)).body.code).toBe('request.stale');
  const { headers } = await app.admin.ask(alertChannels.one, at);
  await app.admin.call(alertChannels.update, { ...stale, ifMatch: String(headers['etag']) });
  const names = (await app.admin.call(alertChannels.list, { params })).map(({ name }) => name);
  expect(names).toEqual([first.name, 'Third']);
});

test('address and secret are sealed, and stay until they are replaced', async () => {
  const app = await testApp({ config: alertConfig() });
  const { params } = await start(app);
  const [before, after] = [await startReceiver(), await startReceiver()];
  const channel = await addChannel(app.admin, params.project_id, {
    type: 'gotify',
    address: `${before.url}/canary-path`,
    secret: 'canary-token',
  });
  const at = { params: { ...params, alert_channel_id: channel.id } };
  const body = { name: 'Renamed', type: 'gotify' } as const;
  await app.admin.call(alertChannels.update, { ...at, body });
  await app.admin.call(alertChannels.test, at);
  expect(before.received).toMatchObject([
    { path: '/canary-path/message', headers: { 'x-gotify-key': 'canary-token' } },
  ]);
  const replaced = { ...body, address: after.url, secret: 'canary-next', override_secret: true };
  await app.admin.call(alertChannels.update, { ...at, body: replaced });
  await app.admin.call(alertChannels.test, at);
  expect(before.received).toHaveLength(1);
  expect(after.received).toMatchObject([
    { path: '/message', headers: { 'x-gotify-key': 'canary-next' } },
  ]);
  const rows = [
    await app.ctx.db.selectFrom('alert_channels').selectAll().execute(),
    await app.ctx.db.selectFrom('events').selectAll().execute(),
    (await app.admin.ask(alertChannels.one, at)).body,
    (await app.admin.ask(alertChannels.list, { params })).body,
  ];
  expect(JSON.stringify(rows)).not.toContain('canary');
  expect(JSON.stringify(rows)).toContain('Renamed');
});

test('what a type needs is asked for, at the field where it is missing', async () => {
  const app = await testApp({ config: alertConfig({ smtpUrl }) });
  const { params } = await start(app);
  const cases: [body: object, path: string, code: string][] = [
    [{ type: 'email' }, 'addresses', 'user.email_required'],
    [{ type: 'email', addresses: ['nobody'] }, 'addresses.0', 'user.email_invalid'],
    [{ type: 'email', addresses: ['a@b.c\r\nBcc: d@e.f'] }, 'addresses.0', 'user.email_invalid'],
    [{ type: 'email', addresses: ['a@b.c, d@e.f'] }, 'addresses.0', 'user.email_invalid'],
    [
      { type: 'email', addresses: Array.from({ length: 21 }, (_, at) => `a${at}@b.c`) },
      'addresses',
      'field.too_many',
    ],
    [{ type: 'telegram', secret: '1:a' }, 'chat', 'alert_channel.chat_required'],
    [{ type: 'telegram', chat: '../1', secret: '1:a' }, 'chat', 'alert_channel.chat_invalid'],
    [{ type: 'telegram', chat: '-1' }, 'secret', 'alert_channel.secret_required'],
    [{ type: 'telegram', chat: '-1', secret: '1:/a' }, 'secret', 'alert_channel.token_invalid'],
    [{ type: 'slack' }, 'address', 'alert_channel.address_required'],
    [{ type: 'slack', address: 'a.b/c' }, 'address', 'alert_channel.address_invalid'],
    [{ type: 'slack', address: 'ftp://a.b/' }, 'address', 'alert_channel.address_invalid'],
    [{ type: 'slack', address: 'file:///a' }, 'address', 'alert_channel.address_invalid'],
    [{ type: 'slack', address: 'https://a:b@c.d' }, 'address', 'alert_channel.address_login'],
    [{ type: 'slack', address: 'https://a@c.d' }, 'address', 'alert_channel.address_login'],
    [{ type: 'gotify', address: 'https://a.b' }, 'secret', 'alert_channel.secret_required'],
    [{ type: 'ntfy', address: 'https://a.b' }, 'address', 'alert_channel.topic_required'],
    [{ type: 'ntfy', address: 'https://a.b/c?d' }, 'address', 'alert_channel.topic_required'],
    [{ ...webhook, secret: 'a\nb' }, 'secret', 'field.invalid'],
    [{ ...webhook, events: [] }, 'events', 'field.required'],
    [{ ...webhook, events: ['deleted'] }, 'events.0', 'field.option'],
    [{ ...webhook, template_ids: [999_999] }, 'template_ids.0', 'field.reference'],
  ];
  for (const [body, path, code] of cases) {
    const answer = await app.admin.ask(alertChannels.create, {
      params,
      body: { name: 'Channel', ...body } as never,
    });
    expect([body, answer.status, answer.body.fields?.map((one) => [one.path, one.code])]).toEqual([
      body,
      400,
      [[path, code]],
    ]);
  }
  expect(await app.admin.call(alertChannels.list, { params })).toEqual([]);
});

test('e-mail is refused while the server cannot send it, and shown as not available', async () => {
  const config = alertConfig({ smtpUrl });
  const app = await testApp({ config });
  const { params } = await start(app);
  const body = { name: 'Mail', type: 'email' as const, addresses: ['a@example.com'] };
  const { id } = await app.admin.call(alertChannels.create, { params, body });
  config.alerts.smtpUrl = null;
  const at = { params: { ...params, alert_channel_id: id } };
  expect(await app.admin.call(alertChannels.one, at)).toMatchObject({ available: false });
  const another = { ...body, name: 'Another' };
  const answer = await app.admin.ask(alertChannels.create, { params, body: another });
  expect(answer.body.fields).toMatchObject([
    { path: 'type', code: 'alert_channel.mail_not_set_up' },
  ]);
  expect(await app.admin.call(alertChannels.test, at)).toEqual({
    delivered: false,
    status: null,
    error: 'This server is not set up for it. Ask an administrator.',
    error_code: 'not_set_up',
  });
});

test('the type changes only together with address and secret', async () => {
  const app = await testApp();
  const { params } = await start(app);
  const { id } = await addChannel(app.admin, params.project_id);
  const at = { params: { ...params, alert_channel_id: id } };
  const body = { name: 'Chat', type: 'slack' } as const;
  const kept = await app.admin.ask(alertChannels.update, { ...at, body });
  expect(kept.body.fields).toMatchObject([{ path: 'type', code: 'alert_channel.type_kept' }]);
  const empty = { ...body, override_secret: true };
  const missing = await app.admin.ask(alertChannels.update, { ...at, body: empty });
  expect(missing.body.fields).toMatchObject([{ code: 'alert_channel.address_required' }]);
  const whole = { ...empty, address: 'https://chat.example/T0/B0' };
  await app.admin.call(alertChannels.update, { ...at, body: whole });
  expect(await app.admin.call(alertChannels.one, at)).toMatchObject({
    type: 'slack',
    host: 'chat.example',
    has_secret: false,
  });
});

describe('a test message', () => {
  test('is sent at once and says what came of it, and nothing of the answer', async () => {
    const app = await testApp({ config: alertConfig() });
    const { params } = await start(app);
    const receiver = await startReceiver();
    const { id } = await addChannel(app.admin, params.project_id, { address: receiver.url });
    const at = { params: { ...params, alert_channel_id: id } };
    const good = await app.admin.call(alertChannels.test, at);
    expect(good).toEqual({ delivered: true, status: 200, error: null, error_code: null });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      event: 'test',
      project: { id: params.project_id },
      task: null,
    });
    receiver.answer((response) => response.writeHead(403, 'hidden').end('hidden'));
    const bad = await app.admin.ask(alertChannels.test, at);
    expect(bad.body).toMatchObject({ delivered: false, status: 403, error_code: 'status' });
    expect(JSON.stringify(bad.body)).not.toContain('hidden');
    const { events } = await newestEvents(app);
    expect(events).toEqual(['alert_channel.tested', 'alert_channel.tested']);
  });

  test.each(['http://127.0.0.1:9/', 'http://localhost:9/', 'http://169.254.169.254/latest'])(
    'does not reach %s',
    async (address) => {
      const app = await testApp();
      const { params } = await start(app);
      const { id } = await addChannel(app.admin, params.project_id, { address });
      const at = { params: { ...params, alert_channel_id: id } };
      expect(await app.admin.call(alertChannels.test, at)).toMatchObject({
        delivered: false,
        status: null,
        error_code: 'refused_address',
      });
    },
  );

  test('can be asked for only so often', async () => {
    const app = await testApp();
    const { params } = await start(app);
    const { id } = await addChannel(app.admin, params.project_id, { address: 'http://127.0.0.1' });
    const at = { params: { ...params, alert_channel_id: id } };
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await app.admin.ask(alertChannels.test, at)).status);
    }
    expect(statuses.slice(-2)).toEqual([200, 429]);
  });
});

async function newestEvents({ ctx }: TestApp): Promise<{ events: string[] }> {
  const query = ctx.db.selectFrom('events').select('code').orderBy('id', 'desc').limit(2);
  return { events: (await query.execute()).map(({ code }) => code) };
}
