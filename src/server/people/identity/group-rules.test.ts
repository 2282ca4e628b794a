import { describe, expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { groupRules, identity } from '#shared/api/identity.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { users } from '#shared/api/users.ts';
import { noLimits } from '#shared/grants/limits.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { companyApp, openBrowser, signInThrough } from '../../../../test/helpers/oidc-browser.ts';
import type { TestProvider } from '../../../../test/helpers/oidc-provider.ts';

const member = (projectId: number, role: string, pattern: string) => ({
  source: 'any',
  claim: 'groups',
  pattern,
  project_id: projectId,
  role,
});
const makesAdmins = { source: 'any', claim: 'groups', pattern: 'admins', administrator: true };

const addRule = (app: TestApp, body: object) =>
  app.admin.call(groupRules.create, { body: body as never });

async function newProject(app: TestApp, name: string): Promise<number> {
  const body = { name, alert: false, max_parallel_tasks: 0 };
  return (await app.admin.call(projects.create, { body })).id;
}

/** Signs Ada in with these groups; answers her id. */
async function signInWith(app: TestApp, provider: TestProvider, groups: string[]): Promise<number> {
  provider.account = { ...provider.account, preferred_username: 'ada', groups };
  expect(await signInThrough(openBrowser(app))).toBe('/');
  const all = await app.admin.call(users.list, {});
  return all.find(({ username }) => username === 'ada')?.id ?? 0;
}

async function rolesOf(app: TestApp, userId: number): Promise<Record<string, string>> {
  const rows = await app.ctx.db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .select(['projects.name', 'role'])
    .where('user_id', '=', userId)
    .execute();
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
}

async function isAdmin(app: TestApp, id: number): Promise<boolean> {
  const user = await app.admin.call(users.one, { params: { user_id: id } });
  return user.admin;
}

describe('rules for groups', () => {
  test('give roles at each sign-in, and take back what they gave', async () => {
    const { app, provider } = await companyApp({});
    const [one, two] = [await newProject(app, 'One'), await newProject(app, 'Two')];
    await addRule(app, member(one, 'guest', '*'));
    await addRule(app, member(one, 'manager', 'ops'));
    await addRule(app, member(two, 'owner', 'dev-*'));
    const ada = await signInWith(app, provider, ['ops', 'dev-eu']);
    expect(await rolesOf(app, ada)).toEqual({ One: 'manager', Two: 'owner' });
    await signInWith(app, provider, ['other']);
    expect(await rolesOf(app, ada)).toEqual({ One: 'guest' });
    await signInWith(app, provider, []);
    expect(await rolesOf(app, ada)).toEqual({});
    const list = await app.admin.call(events.list, {});
    const codes = list.map(({ code }) => code).filter((code) => code.startsWith('member.'));
    expect(codes.toReversed()).toEqual([
      'member.added',
      'member.added',
      'member.changed',
      'member.removed',
      'member.removed',
    ]);
  });

  test('make administrators and unmake them, but never the last one', async () => {
    const { app, provider } = await companyApp({});
    await addRule(app, makesAdmins);
    const ada = await signInWith(app, provider, ['admins']);
    expect(await isAdmin(app, ada)).toBe(true);
    await signInWith(app, provider, []);
    expect(await isAdmin(app, ada)).toBe(false);
    await signInWith(app, provider, ['admins']);
    await app.ctx.db.updateTable('users').set({ admin: 0 }).where('id', '!=', ada).execute();
    provider.account = { ...provider.account, groups: [] };
    expect(await signInThrough(openBrowser(app))).toBe('/');
    const rows = await app.ctx.db.selectFrom('users').select(['id', 'admin']).execute();
    expect(rows.filter(({ admin }) => admin === 1).map(({ id }) => id)).toEqual([ada]);
  });
});

test('groups that do not fit into a token, as Entra ID says, take no role', async () => {
  const { app, provider } = await companyApp();
  const [one, two] = [await newProject(app, 'One'), await newProject(app, 'Two')];
  await addRule(app, member(one, 'manager', 'ops'));
  await addRule(app, member(two, 'guest', '*'));
  await addRule(app, makesAdmins);
  const ada = await signInWith(app, provider, ['ops', 'admins']);
  provider.lie = (claims) => ({ ...claims, _claim_names: { groups: 'src1' } });
  await signInWith(app, provider, ['other']);
  expect(await rolesOf(app, ada)).toEqual({ One: 'manager', Two: 'guest' });
  expect(await isAdmin(app, ada)).toBe(true);
  provider.lie = null;
  await signInWith(app, provider, []);
  expect(await rolesOf(app, ada)).toEqual({});
  expect(await isAdmin(app, ada)).toBe(false);
});

test('what was given by hand stays, whatever the groups are', async () => {
  const { app, provider } = await companyApp();
  const [one, two] = [await newProject(app, 'One'), await newProject(app, 'Two')];
  await addRule(app, member(one, 'owner', 'ops'));
  await addRule(app, member(two, 'guest', 'ops'));
  await addRule(app, makesAdmins);
  const ada = await signInWith(app, provider, ['ops', 'admins']);
  const params = { project_id: two, user_id: ada };
  const isFromRules = async () => (await app.admin.call(members.one, { params })).from_rules;
  expect(await isFromRules()).toBe(true);
  await app.admin.call(members.update, { params, body: { role: 'manager' } });
  expect(await isFromRules()).toBe(false);
  const team = await app.admin.call(members.list, { params: { project_id: one } });
  expect(team.map(({ username, from_rules: flag }) => [username, flag])).toEqual([
    ['ada', true],
    ['root', false],
  ]);
  const { username, name, email } = await app.admin.call(users.one, { params: { user_id: ada } });
  for (const admin of [false, true]) {
    const body = { username, name, email, admin, alert: false };
    await app.admin.call(users.update, { params: { user_id: ada }, body });
  }
  await signInWith(app, provider, []);
  expect(await rolesOf(app, ada)).toEqual({ Two: 'manager' });
  expect(await isAdmin(app, ada)).toBe(true);
});

test('a project keeps its last owner, whatever the groups are', async () => {
  const { app, provider } = await companyApp();
  const one = await newProject(app, 'One');
  await addRule(app, member(one, 'owner', 'ops'));
  const ada = await signInWith(app, provider, ['ops']);
  await app.ctx.db.deleteFrom('members').where('user_id', '!=', ada).execute();
  await signInWith(app, provider, []);
  expect(await rolesOf(app, ada)).toEqual({ One: 'owner' });
});

describe('the list of rules', () => {
  test('is kept in its order and changed by administrators', async () => {
    const app = await testApp();
    const one = await newProject(app, 'One');
    const first = await addRule(app, member(one, 'guest', 'a'));
    const second = await addRule(app, makesAdmins);
    expect(first).toEqual({
      id: first.id,
      source: 'any',
      claim: 'groups',
      pattern: 'a',
      project_id: one,
      project_name: 'One',
      role: 'guest',
      role_name: 'Guest',
      object_type: null,
      object_id: null,
      object_name: null,
      limits: noLimits,
      administrator: false,
    });
    await app.admin.call(groupRules.place, { body: { ids: [second.id, first.id] } });
    const params = { rule_id: first.id };
    const body = { ...member(one, 'owner', 'b'), source: 'ldap' };
    await app.admin.call(groupRules.update, { params, body: body as never });
    const list = await app.admin.call(groupRules.list, {});
    expect(list.map(({ id, pattern, role }) => [id, pattern, role])).toEqual([
      [second.id, 'admins', null],
      [first.id, 'b', 'owner'],
    ]);
    const stale = await app.admin.ask(groupRules.place, { body: { ids: [first.id] } });
    expect([stale.status, stale.body.code]).toEqual([409, 'request.stale']);
    await app.admin.call(groupRules.remove, { params });
    const gone = await app.admin.ask(groupRules.remove, { params });
    expect([gone.status, gone.body.code]).toEqual([404, 'group_rule.not_found']);
  });

  test.each([
    [{ source: 'none' }, 'source', 'group_rule.source'],
    [{ role: null }, 'project_id', 'group_rule.project_or_admin'],
    [{ administrator: true }, 'project_id', 'group_rule.project_or_admin'],
    [{ project_id: 999_999 }, 'project_id', 'field.reference'],
  ])('refuses a rule with %j', async (change, path, code) => {
    const app = await testApp();
    const body = { ...member(await newProject(app, 'One'), 'guest', 'a'), ...change };
    const answer = await app.admin.ask(groupRules.create, { body: body as never });
    expect(answer.body.fields?.map((field) => [field.path, field.code])).toEqual([[path, code]]);
  });

  test('loses the rules of a project that is deleted', async () => {
    const app = await testApp();
    const one = await newProject(app, 'One');
    await addRule(app, member(one, 'guest', 'a'));
    await app.admin.call(projects.remove, { params: { project_id: one } });
    expect(await app.admin.call(groupRules.list, {})).toEqual([]);
  });
});

test('trying claims tells what they would give, and changes nothing', async () => {
  const { app } = await companyApp();
  const one = await newProject(app, 'One');
  const rule = await addRule(app, member(one, 'manager', 'ops-*'));
  const other = await addRule(app, { ...makesAdmins, source: 'ldap' });
  const body = { source: 'company', claims: { groups: ['ops-eu'] } };
  expect(await app.admin.call(identity.try, { body })).toEqual({
    administrator: false,
    roles: [
      {
        project_id: one,
        project_name: 'One',
        role: 'manager',
        role_name: 'Manager',
        rule_id: rule.id,
      },
    ],
    grants: [],
    rules: [
      { rule_id: rule.id, matches: true, reason: 'decides', value: 'ops-eu' },
      { rule_id: other.id, matches: false, reason: 'other_source', value: '' },
    ],
  });
  const wrong = await app.admin.ask(identity.try, { body: { ...body, source: 'none' } });
  expect(wrong.status).toBe(400);
});

test('administrators see whether providers answer, and what to register there', async () => {
  const { app, provider } = await companyApp();
  const [first] = await app.admin.call(identity.providers, {});
  expect(first).toEqual({
    id: 'company',
    kind: 'oidc',
    name: 'Company',
    address: provider.issuer,
    redirect_url: 'http://signalbox.test/api/auth/oidc/company/redirect',
    state: 'ready',
    reason: '',
  });
});
