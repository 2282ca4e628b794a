import { describe, expect, test } from 'vitest';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { users, type User } from '#shared/api/users.ts';
import { testApp, type Caller, type TestApp } from '../../../../test/helpers/app.ts';

const of = ({ userId }: { userId: number }) => ({ params: { user_id: userId } });
const bert = { username: 'bert', name: 'Bert B', email: 'bert@example.com' };
const withPassword = { ...bert, password: 'one he was given' };

const codeOf = ({ status, body }: { status: number; body: { code: string } }) =>
  `${status} ${body.code}`;

async function bodyOf(caller: Caller): Promise<User> {
  return caller.call(users.one, of(caller));
}

describe('accounts', () => {
  test('are made by administrators, and shown in full to them and to their owner', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const body = { ...withPassword, username: ' BERT ', email: 'Bert@Example.com', alert: true };
    const made = await app.admin.ask(users.create, { body });
    const shown = { ...bert, id: expect.any(Number), created: expect.any(String), alert: true };
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...shown,
        username: 'BERT',
        email: 'Bert@Example.com',
        admin: false,
        external: false,
        can_create_project: false,
        second_factor: false,
      },
    ]);
    await app.signIn('bert@example.com', withPassword.password);
    expect((await app.admin.call(users.list, {})).map((one) => Object.keys(one).length)).toEqual([
      10, 10, 10,
    ]);
    expect(await anna.call(users.list, {})).toEqual([
      { id: anna.userId, username: 'anna', name: 'anna' },
      { id: made.body.id, username: 'BERT', name: 'Bert B' },
      { id: app.admin.userId, username: 'root', name: 'root' },
    ]);
    const other = { params: { user_id: made.body.id } };
    expect(await app.admin.call(users.one, other)).toEqual(made.body);
    expect((await anna.call(users.one, of(anna))).email).toBe('anna@example.com');
    for (const answer of [
      await anna.ask(users.create, { body: { ...withPassword, username: 'c' } }),
      await anna.ask(users.one, other),
      await anna.ask(users.update, { ...other, body: bert }),
      await anna.ask(users.password, { ...other, body: { password: 'a new password' } }),
      await anna.ask(users.remove, other),
    ]) {
      expect(codeOf(answer)).toBe('403 permission.admin_required');
    }
    const unknown = await app.admin.ask(users.one, { params: { user_id: 999_999 } });
    expect(codeOf(unknown)).toBe('404 user.not_found');
  });

  test('are listed in the order asked for', async () => {
    const app = await testApp();
    const body = { ...withPassword, username: 'z', name: 'A' };
    await app.admin.call(users.create, { body });
    const list = async (query: object) =>
      (await app.admin.call(users.list, { query })).map(({ username }) => username);
    expect(await list({})).toEqual(['root', 'z']);
    expect(await list({ sort: 'name' })).toEqual(['z', 'root']);
    expect(await list({ order: 'desc', limit: 1 })).toEqual(['z']);
    // This order would reveal addresses that others may not see.
    expect(await list({ sort: 'email' })).toEqual(['root', 'z']);
    const { status } = await app.admin.ask(users.list, { query: { sort: 'admin' as never } });
    expect(status).toBe(400);
  });

  test('have names, logins and addresses that nobody else signs in with', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const create = (change: Partial<typeof withPassword>) =>
      app.admin.ask(users.create, { body: { ...withPassword, ...change } });
    expect(codeOf(await create({ username: 'ANNA' }))).toBe('409 user.username_taken');
    expect(codeOf(await create({ email: 'Anna@Example.com' }))).toBe('409 user.email_taken');
    expect(codeOf(await create({ username: 'root@example.com' }))).toBe('409 user.username_taken');
    await app.admin.call(users.create, { body: { ...withPassword, username: 'c@example.com' } });
    const mine = await bodyOf(anna);
    const change = (body: object) =>
      anna.ask(users.update, { ...of(anna), body: { ...mine, ...body } });
    expect(codeOf(await change({ username: 'Root' }))).toBe('409 user.username_taken');
    expect(codeOf(await change({ email: 'C@example.com' }))).toBe('409 user.email_taken');
    expect((await change({ username: mine.email })).status).toBe(204);
  });

  test('are changed by their owners, all but the flag of administrators', async () => {
    const app = await testApp();
    const anna = await app.user('anna');
    const mine = await bodyOf(anna);
    const body = { ...mine, username: 'Anne', name: 'Anne A', email: 'A@b', alert: true };
    expect((await anna.ask(users.update, { ...of(anna), body })).status).toBe(204);
    expect(await bodyOf(anna)).toEqual(body);
    const raised = await anna.ask(users.update, { ...of(anna), body: { ...body, admin: true } });
    expect(codeOf(raised)).toBe('403 permission.admin_required');
    await app.admin.call(users.update, { ...of(anna), body: { ...body, admin: true } });
    const lowered = await anna.ask(users.update, { ...of(anna), body });
    expect(codeOf(lowered)).toBe('403 user.own_admin');
    const { admin: _left, ...without } = body;
    await app.admin.call(users.update, { ...of(anna), body: without });
    expect((await bodyOf(anna)).admin).toBe(false);
    await app.admin.call(users.update, { ...of(anna), body: { ...body, admin: true } });
    await anna.call(users.update, { ...of(anna), body: without });
    expect((await bodyOf(anna)).admin).toBe(true);
    await anna.call(users.update, { ...of(app.admin), body: { ...bert, admin: false } });
    expect(codeOf(await app.admin.ask(users.remove, of(anna)))).toBe(
      '403 permission.admin_required',
    );
  });

  test('are changed only by those who have the newest copy, or do not say', async () => {
    const app = await testApp();
    const { headers } = await app.admin.ask(users.one, of(app.admin));
    const ifMatch = String(headers['etag']);
    expect(ifMatch).toBe('"r1"');
    const change = (extra: object) =>
      app.admin.ask(users.update, { ...of(app.admin), body: bert, ...extra });
    expect((await change({ ifMatch })).status).toBe(204);
    expect(codeOf(await change({ ifMatch }))).toBe('409 request.stale');
    expect((await change({})).status).toBe(204);
    const gone = { params: { user_id: 999_999 }, body: bert };
    expect(codeOf(await app.admin.ask(users.update, gone))).toBe('404 user.not_found');
  });

  test('are deleted by others, with their sessions and memberships', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    const guest = await app.member(id, 'guest');
    expect(codeOf(await app.admin.ask(users.remove, of(app.admin)))).toBe('403 user.own_account');
    expect((await app.admin.ask(users.remove, of(guest))).status).toBe(204);
    expect(codeOf(await guest.ask(users.current, {}))).toBe('401 session.required');
    const team = await app.admin.call(members.list, { params: { project_id: id } });
    expect(team.map(({ username }) => username)).toEqual(['root']);
    expect(codeOf(await app.admin.ask(users.remove, of(guest)))).toBe('404 user.not_found');
  });

  test('are not deleted while a project has no other owner', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Shared' } });
    const owner = await app.member(id, 'owner');
    const alone: number[] = [];
    for (const name of ['Trains', 'Ships']) {
      const made = await app.admin.call(projects.create, { body: { name } });
      await app.admin.call(members.create, {
        params: { project_id: made.id },
        body: { user_id: owner.userId, role: 'owner' },
      });
      const first = { project_id: made.id, user_id: app.admin.userId };
      await owner.call(members.remove, { params: first });
      alone.push(made.id);
    }
    const { body, status } = await app.admin.ask(users.remove, of(owner));
    expect([status, body.code, body.params]).toEqual([
      409,
      'user.last_owner',
      { projects: '"Trains", "Ships"' },
    ]);
    expect((await owner.ask(users.current, {})).status).toBe(200);
    const [one = 0, two = 0] = alone;
    for (const project_id of [one, two]) {
      const added = { user_id: app.admin.userId, role: 'owner' } as const;
      await app.admin.call(members.create, { params: { project_id }, body: added });
    }
    expect((await app.admin.ask(users.remove, of(owner))).status).toBe(204);
  });

  test('leave one administrator when two act on each other in the same moment', async () => {
    const app = await testApp();
    const body = { ...bert, admin: false };
    const moves: ((one: Caller, other: Caller) => Promise<{ status: number }>)[] = [
      (one, other) => one.ask(users.remove, of(other)),
      (one, other) => one.ask(users.update, { ...of(other), body }),
    ];
    let name = 0;
    let last = app.admin;
    for (const move of [...moves, ...moves, ...moves]) {
      name += 1;
      const [a, b] = await pair(app, `admin-${name}`);
      await a.call(users.remove, of(last));
      const answers = await Promise.all([move(a, b), move(b, a)]);
      const [done = 0, refused = 0] = answers.map(({ status }) => status).sort((x, y) => x - y);
      expect(done).toBe(204);
      expect([401, 403, 404, 409]).toContain(refused);
      const admins = await app.ctx.db
        .selectFrom('users')
        .select('id')
        .where('admin', '=', 1)
        .execute();
      expect(admins).toHaveLength(1);
      last = admins[0]?.id === a.userId ? a : b;
      // The name is free again for the next account that is changed.
      await app.ctx.db.deleteFrom('users').where('admin', '=', 0).execute();
    }
  });

  test('leave one owner when two are deleted in the same moment', async () => {
    const app = await testApp();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await app.admin.call(projects.create, { body: { name: 'Race' } });
      const owners = [await app.member(id, 'owner'), await app.member(id, 'owner')] as const;
      await owners[0].call(members.remove, {
        params: { project_id: id, user_id: app.admin.userId },
      });
      const answers = await Promise.all(owners.map((one) => app.admin.ask(users.remove, of(one))));
      expect(answers.map(({ status }) => status).sort((x, y) => x - y)).toEqual([204, 409]);
      const team = await app.admin.call(members.list, { params: { project_id: id } });
      expect(team.map(({ role }) => role)).toEqual(['owner']);
    }
  });
});

async function pair(app: TestApp, name: string): Promise<[Caller, Caller]> {
  return [
    await app.user(`${name}-a`, { admin: true }),
    await app.user(`${name}-b`, { admin: true }),
  ];
}
