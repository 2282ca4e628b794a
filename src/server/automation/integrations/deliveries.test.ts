import { describe, expect, test } from 'vitest';
import { deliveries } from '#shared/api/deliveries.ts';
import { events } from '#shared/api/events.ts';
import { integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import { matchers } from '#shared/api/matchers.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { makeReceiver } from '../../../../test/helpers/integrations.ts';

async function start(fields = {}) {
  const { app, seed } = await appWithProject(null);
  const { id: template_id } = await seed.template();
  const receiver = await makeReceiver(app.admin, seed.projectId, { template_id, ...fields });
  const { params } = receiver;
  const of = (delivery_id: number) => ({ ...params, delivery_id });
  return { app, seed, receiver, params, of, template_id };
}

describe('deliveries', () => {
  test('are listed newest first and in pages, and shown with their request', async () => {
    const { app, receiver, params, of } = await start();
    for (const ref of ['a', 'b', 'c']) {
      await receiver.send({ body: { ref, odd: '\u0000\ud800' }, headers: { 'X-Event': 'push' } });
    }
    const all = await receiver.deliveries();
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    const page = await app.admin.ask(deliveries.list, { params, query: { limit: 2 } });
    expect(page.body).toEqual(all.slice(0, 2));
    expect(page.headers['link']).toContain(`before=${all[1]?.id}`);
    const rest = { limit: 2, before: all[1]?.id ?? 0 };
    const last = await app.admin.ask(deliveries.list, { params, query: rest });
    expect([last.body, last.headers['link']]).toEqual([all.slice(2), undefined]);
    const one = await app.admin.call(deliveries.one, { params: of(all[0]?.id ?? 0) });
    expect(one).toMatchObject(all[0] ?? {});
    expect(one.request.headers).toMatchObject({ 'x-event': 'push' });
    expect(JSON.parse(one.request.body)).toEqual({ ref: 'c', odd: '\u0000\ud800' });
    const none = await app.admin.ask(deliveries.one, { params: of(999_999) });
    expect([none.status, none.body.code]).toEqual([404, 'delivery.not_found']);
  });

  test('are kept up to a hundred, of which twenty were not let in and sixty started nothing', async () => {
    const { app, seed, receiver, params } = await start();
    const body = { name: 'Strict', auth_method: 'token' as const };
    await receiver.send({ body: { first: true } });
    await app.admin.call(integrations.update, { params, body });
    for (let count = 0; count < 30; count += 1) await receiver.send();
    const results = async () => (await receiver.deliveries()).map(({ result }) => result);
    expect(await results()).toEqual([...Array(20).fill('unauthorized'), 'started']);
    await app.admin.call(integrations.update, { params, body: { name: 'Open', auth_method: '' } });
    for (let count = 0; count < 105; count += 1) await receiver.send();
    expect(await results()).toEqual([
      ...Array(60).fill('failed'),
      ...Array(20).fill('unauthorized'),
      'started',
    ]);
    const other = await makeReceiver(app.admin, seed.projectId);
    await other.send();
    expect([(await results()).length, (await other.deliveries()).length]).toEqual([81, 1]);
  });

  test('outlive their task, and go with their integration', async () => {
    const { app, seed, receiver, params, of } = await start();
    await receiver.send();
    const { id, task_id } = await receiver.newest();
    const task = { project_id: seed.projectId, task_id: task_id ?? 0 };
    await app.admin.call(tasks.stop, { params: task, body: {} });
    await app.admin.call(tasks.remove, { params: task });
    expect(await receiver.newest()).toMatchObject({ id, result: 'started', task_id: null });
    await app.admin.call(integrations.remove, { params });
    expect((await app.admin.ask(deliveries.one, { params: of(id) })).status).toBe(404);
    const rows = await app.ctx.db.selectFrom('integration_deliveries').selectAll().execute();
    expect(rows).toEqual([]);
  });

  test('are evaluated again by the rules of today, and launched by whoever asks', async () => {
    const { app, seed, receiver, params, of } = await start();
    const matcher_id = await receiver.match({ value: 'main' });
    await receiver.extract({ key: 'n', variable: 'number' });
    await receiver.send({
      body: '{"ref":"dev","n":12345678901234567890}',
      headers: { 'x-github-delivery': 'once' },
    });
    const first = await receiver.newest();
    expect(first.result).toBe('not_matched');
    const manager = await app.member(seed.projectId, 'manager');
    const again = () => manager.ask(deliveries.replay, { params: of(first.id) });
    const refused = await again();
    expect([refused.status, refused.body.result]).toEqual([201, 'not_matched']);
    await app.admin.call(matchers.remove, { params: { ...params, matcher_id } });
    for (let times = 0; times < 2; times += 1) {
      const { body } = await again();
      expect(body).toMatchObject({ result: 'started', replay_of: first.id });
      expect(await receiver.newest()).toEqual(body);
      const where = { project_id: seed.projectId, task_id: body.task_id ?? 0 };
      expect(await app.admin.call(tasks.one, { params: where })).toMatchObject({
        user_id: manager.userId,
        integration_id: null,
        environment: '{"number":"12345678901234567890"}',
      });
    }
    const list = await app.admin.call(events.ofProject, {
      params: { project_id: seed.projectId },
      query: { code: 'integration.replayed' },
    });
    const said = `Delivery #${first.id} to "${receiver.integration.name}" replayed`;
    expect(list.map(({ description, username }) => `${username}: ${description}`)).toEqual(
      Array(3).fill(`manager-1: ${said}`),
    );
  });
});

test('a request of somebody unknown is not evaluated again', async () => {
  const { app, receiver, of, params } = await start({ auth_method: 'token' });
  expect((await receiver.send()).statusCode).toBe(401);
  const { id } = await receiver.newest();
  await app.admin.call(integrations.update, { params, body: { name: 'Open', auth_method: '' } });
  const answer = await app.admin.ask(deliveries.replay, { params: of(id) });
  expect([answer.status, answer.body.code]).toEqual([409, 'delivery.unauthorized']);
  expect(await receiver.deliveries()).toHaveLength(1);
});

test('headers that carry credentials are neither kept nor seen by any rule', async () => {
  const { app, receiver, of, seed, params, template_id } = await start();
  const login_password = { login: 'hook', password: 'canary-key' };
  const key = await app.admin.call(keys.create, {
    params: { project_id: seed.projectId },
    body: { name: 'Hook', type: 'login_password', login_password },
  });
  const header = { value_source: 'header', body_data_type: '' } as const;
  await receiver.extract({ ...header, key: 'X-Ours', variable: 'ours' });
  await receiver.extract({ ...header, key: 'X-Event', variable: 'event' });
  const body = { name: 'X', template_id, auth_method: 'token', auth_header: 'X-Ours' } as const;
  await app.admin.call(integrations.update, { params, body: { ...body, auth_secret_id: key.id } });
  const credentials = [
    'Authorization',
    'Cookie',
    'X-Gitlab-Token',
    'X-Hub-Signature-256',
    'X-Api-Key',
    'Proxy-Authorization',
  ];
  const headers = Object.fromEntries(credentials.map((name) => [name, 'canary-header']));
  await receiver.send({ headers: { ...headers, 'X-Ours': 'canary-key', 'X-Event': 'push' } });
  const { id, reason, task_id } = await receiver.newest();
  expect(reason.params).toEqual({ names: 'ours' });
  const { request } = await app.admin.call(deliveries.one, { params: of(id) });
  expect(Object.keys(request.headers)).toContain('x-event');
  const where = { project_id: seed.projectId, task_id: task_id ?? 0 };
  const task = await app.admin.call(tasks.one, { params: where });
  expect(task.environment).toBe('{"event":"push"}');
  expect(JSON.stringify([request, task])).not.toContain('canary');
});

test('a request can be tried without anything coming of it', async () => {
  const { app, receiver, params } = await start();
  await receiver.match({ name: 'Event', match_type: 'header', key: 'X-Event', value: 'push' });
  await receiver.extract({ key: 'a[1]', variable: 'second' });
  await receiver.extract({ key: 'none', variable: '__proto__' });
  const attempt = (headers: Record<string, string>, body: string) =>
    app.admin.call(deliveries.try, { params, body: { headers, body } });
  expect(await attempt({ 'x-EVENT': 'push' }, '{"a":[1,2]}')).toEqual({
    matches: true,
    git_branch: null,
    reason: {
      code: 'delivery.values_missing',
      params: { names: '__proto__' },
      text: 'The request matches, but lacks __proto__.',
    },
    values: { second: '2' },
    missing: ['__proto__'],
    matchers: [{ id: expect.any(Number), name: 'Event', reason: null }],
  });
  await receiver.match({ name: 'Branch' });
  const text = 'Matcher "Event": the request has no X-Event.';
  expect(await attempt({}, '{"ref":"main"}')).toMatchObject({
    matches: false,
    reason: { text },
    values: {},
    matchers: expect.toSatisfy((list: { name: string; reason: { text: string } | null }[]) => {
      const told = Object.fromEntries(list.map(({ name, reason }) => [name, reason?.text ?? null]));
      return told['Event'] === text && told['Branch'] === null && list.length === 2;
    }),
  });
  expect(await receiver.deliveries()).toEqual([]);
  const list = await app.admin.call(tasks.list, { params: { project_id: params.project_id } });
  expect(list).toEqual([]);
});

test('whoever follows the project is told of deliveries', async () => {
  const { app, receiver } = await start();
  const told: string[] = [];
  app.ctx.hub.subscribe('resource.changed', ({ noun }) => {
    if (noun !== 'events') told.push(noun);
  });
  await receiver.match({});
  await receiver.send();
  expect(told).toEqual(['integrations', 'deliveries']);
});
