import { describe, expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { events } from '#shared/api/events.ts';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp, type Caller, type TestOptions } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { connect } from '../../../../test/helpers/live.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

type Fields = Parameters<typeof newToken.parse>[0];

async function start(options: TestOptions = {}) {
  const { app, seed } = await appWithProject(null, options);
  const owner = await app.member(seed.projectId, 'owner');
  const make = async (fields: Fields = {}, by: Caller = owner) => {
    const made = await by.call(tokens.create, { body: newToken.parse(fields) });
    return { ...made, caller: app.withToken(made.token) };
  };
  return { app, seed, owner, make, params: { project_id: seed.projectId } };
}

test('a token opens what its user may, and its text is shown once', async () => {
  const { app, owner, make, params } = await start();
  const { token, caller, id, ...made } = await make({ name: 'CI' });
  expect(id).toBe(token);
  expect(token).toMatch(/^sbx_[\w-]{43}$/);
  expect(made).toMatchObject({ name: 'CI', scope: 'all', hint: `…${token.slice(-4)}` });
  const body = { name: 'By token', type: 'none' as const };
  await caller.call(keys.create, { params, body });
  const [event] = await owner.call(events.ofProject, { params, query: { limit: 1 } });
  const [listed] = await owner.call(tokens.list, {});
  const usedAt = expect.stringMatching(/Z$/) as string;
  expect(listed).toEqual({ ...made, id: expect.stringMatching(/^\d+$/), last_used: usedAt });
  const viaId = Number(listed?.id);
  expect(event).toMatchObject({ via: 'token', via_id: viaId, user_id: owner.userId });
  const stored = await app.ctx.db.selectFrom('tokens').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
});

test('one that is revoked, expired or wrong opens nothing', async () => {
  const { app, owner, make } = await start();
  const revoked = await make();
  await owner.call(tokens.remove, { params: { token_id: revoked.id } });
  const soon = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const expiring = await make({ expires: soon });
  expect((await expiring.caller.ask(users.current, {})).status).toBe(200);
  app.clock.advance(60_000);
  const wrong = [app.withToken('sbx_wrong'), app.withToken(''), app.withToken(soon)];
  for (const caller of [revoked.caller, expiring.caller, ...wrong]) {
    const { status, body } = await caller.ask(users.current, {});
    expect([status, body.code]).toEqual([401, 'session.required']);
  }
  const [listed] = await owner.call(tokens.list, {});
  expect(listed?.expired).toBe(true);
  const again = await owner.ask(tokens.remove, { params: { token_id: revoked.id } });
  expect([again.status, again.body.code]).toEqual([404, 'token.not_found']);
});

test('ends with its user, its project, and a change of password', async () => {
  const { app, seed, owner, make, params } = await start();
  const ofProject = await make({ project_id: seed.projectId });
  await owner.call(projects.remove, { params });
  expect((await ofProject.caller.ask(users.current, {})).status).toBe(401);
  const before = await make();
  const body = { password: 'another long password', old_password: password };
  await owner.call(users.password, { params: { user_id: owner.userId }, body });
  expect((await before.caller.ask(users.current, {})).status).toBe(401);
  const after = await make();
  await app.admin.call(users.remove, { params: { user_id: owner.userId } });
  expect((await after.caller.ask(users.current, {})).status).toBe(401);
});

test('nobody has more than two hundred', async () => {
  const app = await testApp();
  const [other] = [await app.admin.call(tokens.create, { body: {} })];
  const { user_id: userId } = await app.ctx.db
    .selectFrom('tokens')
    .select('user_id')
    .executeTakeFirstOrThrow();
  const row = { user_id: userId, name: '', scope: 'all', hint: '', created: other.created };
  const rows = Array.from({ length: 199 }, (_, index) => ({ ...row, token_hash: `h${index}` }));
  await app.ctx.db.insertInto('tokens').values(rows).execute();
  const refused = await app.admin.ask(tokens.create, { body: {} });
  expect([refused.status, refused.body.code]).toEqual([409, 'token.too_many']);
  await app.admin.call(tokens.remove, { params: { token_id: other.id } });
  expect((await app.admin.ask(tokens.create, { body: {} })).status).toBe(201);
});

test('nobody revokes the token of somebody else', async () => {
  const { app, make } = await start();
  const { id, caller } = await make();
  const { status, body } = await app.admin.ask(tokens.remove, { params: { token_id: id } });
  expect([status, body.code]).toEqual([404, 'token.not_found']);
  expect((await caller.ask(users.current, {})).status).toBe(200);
});

describe('a scope', () => {
  test('that only looks changes nothing, and one that runs tasks changes nothing else', async () => {
    const { seed, make, params } = await start();
    const template = await seed.template();
    const body = { template_id: template.id };
    const read = (await make({ scope: 'read' })).caller;
    const run = (await make({ scope: 'run' })).caller;
    const refused = await read.ask(tasks.start, { params, body });
    expect([refused.status, refused.body.code]).toEqual([403, 'permission.token_scope']);
    expect(refused.body.params).toEqual({ scope: 'read', need: 'run' });
    const task = await run.call(tasks.start, { params, body });
    const where = { ...params, task_id: task.id };
    expect((await read.call(tasks.one, { params: where })).status).toBe('waiting');
    expect((await read.ask(tasks.stop, { params: where, body: {} })).status).toBe(403);
    await run.call(tasks.stop, { params: where, body: {} });
    const key = { name: 'Key', type: 'none' as const };
    for (const caller of [read, run]) {
      expect((await caller.ask(keys.create, { params, body: key })).status).toBe(403);
    }
  });

  test('never gives more than the role', async () => {
    const { app, seed, make, params } = await start();
    const guest = await app.member(seed.projectId, 'guest');
    const { caller } = await make({ scope: 'all' }, guest);
    const body = { name: 'Key', type: 'none' as const };
    const { status, body: refusal } = await caller.ask(keys.create, { params, body });
    expect([status, refusal.code]).toEqual([403, 'permission.denied']);
  });

  test('of everything still makes no token and ends no session', async () => {
    const { make } = await start();
    const { caller } = await make();
    const { status, body } = await caller.ask(tokens.create, { body: {} });
    expect([status, body.code]).toEqual([403, 'permission.session_needed']);
    const ended = await caller.raw({ method: 'DELETE', url: '/api/user/sessions' });
    expect(ended.statusCode).toBe(403);
  });
});

describe('a token of one project', () => {
  test('opens that project only, for administrators too', async () => {
    const { app, seed, make, params } = await start();
    const other = await seedProject(app.admin, null);
    for (const by of [undefined, app.admin]) {
      const { caller } = await make({ project_id: seed.projectId }, by);
      expect((await caller.call(projects.one, { params })).id).toBe(seed.projectId);
      const foreign = await caller.ask(projects.one, { params: { project_id: other.projectId } });
      expect([foreign.status, foreign.body.code]).toEqual([404, 'project.not_found']);
      const list = await caller.call(projects.list, {});
      expect(list.map(({ id }) => id)).toEqual([seed.projectId]);
      expect((await caller.ask(apps.list, {})).status).toBe(200);
      const outside = await caller.ask(users.list, {});
      expect([outside.status, outside.body.code]).toEqual([403, 'permission.token_project']);
    }
  });

  test('is made for a project of its user, and for a time to come', async () => {
    const { app, owner } = await start();
    const other = await seedProject(app.admin, null);
    const ask = (body: Fields) => owner.ask(tokens.create, { body: body ?? {} });
    const foreign = await ask({ project_id: other.projectId });
    expect(foreign.body.fields).toMatchObject([{ path: 'project_id', code: 'token.no_project' }]);
    const past = await ask({ expires: '2001-01-01T00:00:00.000Z' });
    expect(past.body.fields).toMatchObject([{ path: 'expires', code: 'token.expires_past' }]);
  });
});

test('a request with a token is not one with a cookie, and needs no page of ours', async () => {
  const { app, make, params } = await start();
  const { token } = await make();
  const send = (authorization: string, headers = {}) =>
    app.admin.raw({
      method: 'POST',
      url: `/api/project/${params.project_id}/keys`,
      headers: { authorization, ...headers },
      payload: { name: 'Key', type: 'none' },
    });
  for (const wrong of ['Bearer', 'Bearer x', 'Basic YTpi', '']) {
    expect([wrong, (await send(wrong)).statusCode]).toEqual([wrong, 401]);
  }
  const elsewhere = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  expect((await send('Bearer x', elsewhere)).statusCode).toBe(401);
  expect((await send(`bearer  ${token}`, elsewhere)).statusCode).toBe(201);
});

test('opens the websocket, within its project', async () => {
  const { app, seed, make } = await start();
  const address = await app.listen();
  const other = await seedProject(app.admin, null);
  const { token, id } = await make({ project_id: seed.projectId }, app.admin);
  await expect(connect(address, { authorization: 'Bearer wrong' })).rejects.toThrow('401');
  const client = await connect(address, { authorization: `Bearer ${token}` });
  const follow = (projectId: number) =>
    client.send({ type: 'subscribe', topic: 'project', project_id: projectId });
  follow(seed.projectId);
  await client.untilMessage('subscribed');
  follow(other.projectId);
  expect((await client.untilMessage('refused')).code).toBe('project.not_found');
  await app.admin.call(tokens.remove, { params: { token_id: id } });
  follow(seed.projectId);
  expect(await client.closed).toBe(4401);
});
