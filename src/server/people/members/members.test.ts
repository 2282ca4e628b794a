import { describe, expect, test } from 'vitest';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import { users } from '#shared/api/users.ts';
import { roleNames, type Role } from '#shared/rights.ts';
import { testApp, type Caller } from '../../../../test/helpers/app.ts';
import { makeGate } from '../../../../test/helpers/gate.ts';
import { connect, linesOf } from '../../../../test/helpers/live.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { launch, logText, untilFinished } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';

const inProject = (project_id: number) => ({ params: { project_id } });
const ofUser = (project_id: number, { userId }: Caller) => ({
  params: { project_id, user_id: userId },
});

async function rolesIn(caller: Caller, projectId: number): Promise<string[]> {
  return (await caller.call(members.list, inProject(projectId))).map(({ role }) => role);
}

describe('the team', () => {
  async function setUp() {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    return { app, id };
  }

  test('gets a member in each role, who can then do what the role allows', async () => {
    const { app, id } = await setUp();
    for (const role of roleNames) {
      const one = await app.user(role);
      expect((await one.ask(projects.one, inProject(id))).status).toBe(404);
      const body = { user_id: one.userId, role };
      const made = await app.admin.ask(members.create, { ...inProject(id), body });
      const shown = { id: one.userId, name: role, username: role, role, from_rules: false };
      expect(made.status).toBe(204);
      expect(await one.call(members.one, ofUser(id, one))).toEqual(shown);
      expect((await one.call(projects.role, inProject(id))).role).toBe(role);
    }
  });

  test('refuses who is a member already, and who does not exist', async () => {
    const { app, id } = await setUp();
    const guest = await app.member(id, 'guest');
    const add = (body: object) =>
      app.admin.ask(members.create, { ...inProject(id), body: body as never });
    const twice = await add({ user_id: guest.userId, role: 'owner' });
    expect([twice.status, twice.body.code]).toEqual([409, 'member.exists']);
    expect(await rolesIn(app.admin, id)).toEqual(['guest', 'owner']);
    const unknown = await add({ user_id: 999_999, role: 'guest' });
    expect([unknown.status, unknown.body.fields]).toMatchObject([
      400,
      [{ path: 'user_id', code: 'member.no_user', message: 'There is no such user' }],
    ]);
    expect((await add({})).body.fields?.map(({ message }) => message).sort()).toEqual([
      'Role is required',
      'User is required',
    ]);
    const wrong = await add({ user_id: guest.userId, role: 'king' });
    expect(wrong.body.fields).toMatchObject([{ path: 'role', code: 'member.role_unknown' }]);
  });

  test('is changed by owners, and knows nobody from outside', async () => {
    const { app, id } = await setUp();
    const owner = await app.member(id, 'owner');
    const guest = await app.member(id, 'guest');
    const outsider = await app.user('outsider');
    for (const role of ['manager', 'task_runner', 'owner', 'guest'] satisfies Role[]) {
      const { status } = await owner.ask(members.update, { ...ofUser(id, guest), body: { role } });
      expect(status).toBe(204);
      expect((await owner.call(members.one, ofUser(id, guest))).role).toBe(role);
    }
    const body = { role: 'owner' } as const;
    for (const answer of [
      await owner.ask(members.one, ofUser(id, outsider)),
      await owner.ask(members.update, { ...ofUser(id, outsider), body }),
      await owner.ask(members.remove, ofUser(id, outsider)),
      await (await app.user('second', { admin: true })).ask(members.leave, inProject(id)),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'member.not_found']);
    }
    const mine = await guest.ask(members.update, { ...ofUser(id, guest), body });
    expect([mine.status, mine.body.code]).toEqual([403, 'permission.denied']);
  });

  test('always keeps an owner', async () => {
    const { app, id } = await setUp();
    const second = await app.member(id, 'guest');
    const refusals = [
      await app.admin.ask(members.update, { ...ofUser(id, app.admin), body: { role: 'manager' } }),
      await app.admin.ask(members.remove, ofUser(id, app.admin)),
      await app.admin.ask(members.leave, inProject(id)),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.code]).toEqual([409, 'member.last_owner']);
    }
    const body = { role: 'owner' } as const;
    await app.admin.call(members.update, { ...ofUser(id, app.admin), body });
    await app.admin.call(members.update, { ...ofUser(id, second), body });
    for (const answer of [
      await second.ask(members.leave, inProject(id)),
      await second.ask(members.remove, ofUser(id, second)),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'member.owner_leaves']);
    }
    // An administrator of the server can do everything in the project as before.
    await app.admin.call(members.leave, inProject(id));
    expect(await rolesIn(app.admin, id)).toEqual(['owner']);
    expect((await second.ask(members.leave, inProject(id))).body.code).toBe('member.last_owner');
  });

  test('lets everybody else leave, and closes to them at once', async () => {
    const { app, id } = await setUp();
    for (const role of roleNames.filter((name) => name !== 'owner')) {
      const one = await app.member(id, role);
      expect((await one.ask(members.leave, inProject(id))).status).toBe(204);
      const { status, body } = await one.ask(projects.one, inProject(id));
      expect([status, body.code]).toEqual([404, 'project.not_found']);
      expect((await one.ask(users.current, {})).status).toBe(200);
    }
    expect(await rolesIn(app.admin, id)).toEqual(['owner']);
  });

  test('keeps one of two owners who act on each other in the same moment', async () => {
    const { app } = await setUp();
    const body = { role: 'guest' } as const;
    const moves: ((one: Caller, other: Caller, id: number) => Promise<{ status: number }>)[] = [
      (one, other, id) => one.ask(members.remove, ofUser(id, other)),
      (one, _other, id) => one.ask(members.update, { ...ofUser(id, one), body }),
      (one, other, id) => one.ask(members.update, { ...ofUser(id, other), body }),
    ];
    for (const move of [...moves, ...moves, ...moves]) {
      const { id } = await app.admin.call(projects.create, { body: { name: 'Race' } });
      const [a, b] = [await app.member(id, 'owner'), await app.member(id, 'owner')];
      await a.call(members.remove, ofUser(id, app.admin));
      const answers = await Promise.all([move(a, b, id), move(b, a, id)]);
      const [done = 0, refused = 0] = answers.map(({ status }) => status).sort((x, y) => x - y);
      expect(done).toBe(204);
      expect([403, 404, 409]).toContain(refused);
      const owners = (await rolesIn(app.admin, id)).filter((role) => role === 'owner');
      expect(owners).toHaveLength(1);
    }
  });
});

test('a member who is removed gets nothing more of a log or of the project', async () => {
  const app = await testApp({ runner: true });
  const address = await app.listen();
  const gate = await makeGate();
  const script = `until ${gate.isOpen}; do echo "another line"; sleep 0.02; done\n`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const guest = await app.member(seed.projectId, 'guest');
  const client = await connect(address, { cookie: guest.cookie });
  const plain = await connect(address, { cookie: guest.cookie });
  const shared = { project_id: seed.projectId };
  client.send({ type: 'subscribe', topic: 'project', ...shared });
  await client.untilMessage('subscribed');
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  client.send({ type: 'subscribe', topic: 'task_log', ...shared, task_id: task.id, after: 0 });
  await until(() => linesOf(client.messages).length > 3);
  await plain.untilMessage('log');
  await app.admin.call(members.remove, ofUser(seed.projectId, guest));
  const [before, plainBefore] = [linesOf(client.messages).length, plain.messages.length];
  const countLines = async () => (await logText(app.admin, task)).split('\n').length;
  const printed = await countLines();
  await until(async () => (await countLines()) > printed + 30);
  await gate.open();
  await untilFinished(app.admin, task);
  await until(() => client.messages.filter(({ type }) => type === 'refused').length === 2);
  // One batch may have been on its way.
  expect(linesOf(client.messages).length - before).toBeLessThan(15);
  expect(client.messages.some(({ type }) => type === 'log_end')).toBe(false);
  expect(plain.messages.length - plainBefore).toBeLessThan(15);
  const { status } = await guest.ask(tasks.output, { params: { ...shared, task_id: task.id } });
  expect(status).toBe(404);
  expect((await guest.ask(users.current, {})).status).toBe(200);
});
