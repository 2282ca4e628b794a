import { describe, expect, test } from 'vitest';
import { events, type Event } from '#shared/api/events.ts';
import { keys } from '#shared/api/keys.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { session } from '#shared/api/session.ts';
import { tasks } from '#shared/api/tasks.ts';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { password, testApp, type Caller, type TestApp } from '../../../test/helpers/app.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { tidyEvents } from './events.ts';

const login = { login: 'deploy', password: 'a password that nobody sees' };

async function start() {
  const { app, seed } = await appWithProject(null);
  return { app, seed, params: { project_id: seed.projectId } };
}

const ofProject = (caller: Caller, projectId: number, query = {}): Promise<Event[]> =>
  caller.call(events.ofProject, { params: { project_id: projectId }, query });

const makeKey = (caller: Caller, projectId: number, name: string) =>
  caller.call(keys.create, {
    params: { project_id: projectId },
    body: { name, type: 'login_password', login_password: login },
  });

test('a change says who did what, when and from where', async () => {
  const { app, seed, params } = await start();
  const manager = await app.member(seed.projectId, 'manager');
  const key = await makeKey(manager, seed.projectId, 'Production');
  const where = { ...params, key_id: key.id };
  const body = { name: 'Staging', type: 'none' as const };
  await manager.call(keys.update, { params: where, body });
  await manager.call(keys.remove, { params: where });
  const list = await ofProject(app.admin, seed.projectId, { limit: 3 });
  expect(list.map(({ description }) => description)).toEqual([
    'Key "Staging" deleted',
    'Key "Staging" changed',
    'Key "Production" created',
  ]);
  expect(list[2]).toEqual({
    id: expect.any(Number),
    created: expect.stringMatching(/^\d{4}-.*Z$/),
    code: 'key.created',
    params: { name: 'Production' },
    description: 'Key "Production" created',
    project_id: seed.projectId,
    project_name: expect.any(String),
    user_id: manager.userId,
    username: 'manager-1',
    via: 'session',
    via_id: null,
    integration_id: null,
    ip: '127.0.0.1',
    object_type: 'key',
    object_id: key.id,
    object_name: 'Production',
  });
});

test('a change that is refused leaves nothing', async () => {
  const { app, seed, params } = await start();
  await makeKey(app.admin, seed.projectId, 'Twice');
  const [before] = await ofProject(app.admin, seed.projectId);
  const body = { name: 'Twice', type: 'none' as const };
  expect((await app.admin.ask(keys.create, { params, body })).status).toBe(409);
  const inUse = await app.admin.ask(keys.remove, { params: { ...params, key_id: seed.keyId } });
  expect(inUse.status).toBe(400);
  expect((await ofProject(app.admin, seed.projectId))[0]).toEqual(before);
});

test('lists in pages, and by kind, person, time and name', async () => {
  const { app, seed, params } = await start();
  const owner = await app.member(seed.projectId, 'owner');
  for (const name of ['One', 'Two_x', 'Three%']) await makeKey(owner, seed.projectId, name);
  const whole = await ofProject(app.admin, seed.projectId);
  const pages: Event[] = [];
  let before: number | undefined;
  do {
    const answer = await app.admin.ask(events.ofProject, {
      params,
      query: { limit: 4, ...(before !== undefined && { before }) },
    });
    pages.push(...answer.body);
    const next = /before=(\d+)/.exec(String(answer.headers['link']))?.[1];
    before = next === undefined ? undefined : Number(next);
  } while (before !== undefined && pages.length < 100);
  expect(pages).toEqual(whole);
  const names = async (query: object) =>
    (await ofProject(app.admin, seed.projectId, query)).map((event) => event.object_name);
  expect(await names({ user_id: owner.userId })).toEqual(['Three%', 'Two_x', 'One']);
  expect(await names({ code: 'key.created', q: 'two_X' })).toEqual(['Two_x']);
  expect(await names({ code: 'key.', q: '%' })).toEqual(['Three%']);
  expect(await names({ object_type: 'view' })).toEqual([]);
  const at = whole[0]?.created ?? '';
  expect(await names({ to: '2001-01-01T00:00:00.000Z' })).toEqual([]);
  expect(await names({ from: at })).toContain('Three%');
  // A time without milliseconds is not after those of its second.
  const second = `${at.slice(0, 19)}Z`;
  expect(await names({ from: second })).toContain('Three%');
  expect(await names({ to: second })).not.toContain('Three%');
});

test('goes after as many days as the setting says', async () => {
  const { app, seed } = await start();
  app.clock.advance(364 * 24 * 3600_000);
  await makeKey(await app.signIn('root', password), seed.projectId, 'Later');
  app.clock.advance(2 * 24 * 3600_000);
  await tidyEvents(app.ctx, new AbortController().signal);
  const again = await app.signIn('root', password);
  const rest = await again.call(events.list, {});
  expect(rest.map(({ code }) => code)).toEqual([
    'session.started',
    'key.created',
    'session.started',
  ]);
  await tidyEvents(
    { ...app.ctx, config: { ...app.ctx.config, keepEventDays: 0 } },
    new AbortController().signal,
  );
  expect(await again.call(events.list, {})).toHaveLength(3);
});

describe('who sees what', () => {
  test('members see their projects without addresses, others nothing', async () => {
    const { app, seed, params } = await start();
    const guest = await app.member(seed.projectId, 'guest');
    const stranger = await app.user('stranger');
    const seen = await ofProject(guest, seed.projectId);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.every(({ ip }) => ip === null)).toBe(true);
    expect((await stranger.ask(events.ofProject, { params })).status).toBe(404);
    const own = await stranger.call(events.list, {});
    expect(own.map(({ code }) => code)).toEqual(['session.started']);
    const all = await guest.call(events.last, {});
    expect(new Set(all.map(({ project_id: id }) => id))).toEqual(new Set([seed.projectId, null]));
    expect(all.filter(({ project_id: id }) => id === null).map(({ username }) => username)).toEqual(
      ['guest-1'],
    );
  });

  test('what a deleted project leaves is for administrators', async () => {
    const { app, seed, params } = await start();
    const owner = await app.member(seed.projectId, 'owner');
    await owner.call(projects.remove, { params });
    const codes = async (caller: Caller) =>
      (await caller.call(events.list, { query: { code: 'project.' } })).map(({ code }) => code);
    expect(await codes(app.admin)).toEqual(['project.deleted']);
    // This person has done it.
    expect(await codes(owner)).toEqual(['project.deleted']);
    expect(await codes(await app.user('other'))).toEqual([]);
  });
});

describe('coming and going', () => {
  const auth = (app: TestApp, name: string, secret: string) =>
    app.nobody.ask(session.signIn, { body: { auth: name, password: secret } });

  test('is recorded, and a wrong name is not kept: it may be a password', async () => {
    const app = await testApp();
    const user = await app.user('ada');
    await auth(app, 'ada', 'hunter2');
    await auth(app, 'my secret typed too early', 'x');
    await user.call(session.signOut, {});
    const list = await app.admin.call(events.list, { query: { limit: 3 } });
    expect(list.map(({ description }) => description)).toEqual([
      'ada signed out',
      'Sign-in failed: there is no such user',
      'Sign-in as ada failed: wrong password',
    ]);
    expect(JSON.stringify(list)).not.toMatch(/typed too early|hunter2|a long test/);
  });

  test('is recorded when an account is locked', async () => {
    const app = await testApp();
    for (let tries = 0; tries < 11; tries += 1) await auth(app, 'root', `wrong ${tries}`);
    const [last] = await app.admin.call(events.list, {});
    expect(last?.code).toBe('session.locked');
  });
});

test('a role that changes is told with both roles', async () => {
  const { app, seed, params } = await start();
  const guest = await app.member(seed.projectId, 'guest');
  const where = { ...params, user_id: guest.userId };
  await app.admin.call(members.update, { params: where, body: { role: 'manager' } });
  const [last] = await ofProject(app.admin, seed.projectId);
  expect(last?.description).toBe('The role of guest-1 changed from guest to manager');
});

test('a task is told from its launch to its deletion', async () => {
  const { app, seed, params } = await start();
  const { id } = await seed.template({ name: 'Deploy' });
  const task = await app.admin.call(tasks.start, { params, body: { template_id: id } });
  const where = { ...params, task_id: task.id };
  await app.admin.call(tasks.stop, { params: where, body: {} });
  await app.admin.call(tasks.remove, { params: where });
  const list = await ofProject(app.admin, seed.projectId, { code: 'task.' });
  expect(list.map(({ description, via }) => [description, via])).toEqual([
    [`Task #${task.id} of "Deploy" deleted`, 'session'],
    [`Task #${task.id} of "Deploy" ended: stopped`, 'server'],
    [`Stop of task #${task.id} of "Deploy" requested`, 'session'],
    [`Task #${task.id} of "Deploy" started`, 'session'],
  ]);
});

describe('as a file', () => {
  test('has everything, and nothing that a spreadsheet would compute', async () => {
    const { app, seed, params } = await start();
    for (const name of ['=1+1', 'He said "no", twice'])
      await makeKey(app.admin, seed.projectId, name);
    const csv = await app.admin.ask(events.exportOfProject, { params, query: {} });
    expect(csv.headers['content-disposition']).toBe('attachment; filename="events.csv"');
    const lines = csv.body.trimEnd().split('\r\n');
    const count = (await ofProject(app.admin, seed.projectId)).length;
    expect(lines).toHaveLength(count + 1);
    expect(csv.body).toContain(`,'=1+1\r\n`);
    expect(csv.body).toContain('"Key ""He said ""no"", twice"" created"');
    const json = await app.admin.ask(events.exportOfProject, { params, query: { format: 'json' } });
    expect(JSON.parse(json.body)).toHaveLength(count);
    const all = await app.admin.ask(events.export, { query: { format: 'json', code: 'view.' } });
    expect(JSON.parse(all.body)).toEqual([]);
  });
});

test('every code is noun.verb and has a sentence', () => {
  for (const code of recordedEvents.codes) {
    expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(recordedEvents.text(code)).toMatch(/^\S.*[^.]$/);
  }
});
