// Also on PostgreSQL: rows are locked while somebody signs in.

import { expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { grants } from '#shared/api/grants.ts';
import { groupRules, identity, type GroupRule } from '#shared/api/identity.ts';
import { members } from '#shared/api/members.ts';
import { templates } from '#shared/api/templates.ts';
import { noLimits } from '#shared/grants/limits.ts';
import { companyApp, openBrowser, signInThrough } from '../../../../test/helpers/oidc-browser.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

async function start() {
  const { app, provider } = await companyApp();
  const seed = await seedProject(app.admin, null);
  const template = await seed.template({ name: 'Restart' });
  const rule = { source: 'any', claim: 'groups', project_id: seed.projectId };
  const onTemplate = {
    ...rule,
    pattern: 'vendor',
    role: 'task_runner',
    object_type: 'template',
    object_id: template.id,
  };
  const add = (body: object): Promise<GroupRule> =>
    app.admin.call(groupRules.create, { body: body as never });
  const signIn = async (groups: string[]): Promise<void> => {
    provider.account = { ...provider.account, preferred_username: 'ada', groups };
    expect(await signInThrough(openBrowser(app))).toBe('/');
  };
  const params = { project_id: seed.projectId };
  const given = async () => app.admin.call(grants.list, { params });
  return { app, seed, params, template, rule, onTemplate, add, signIn, given };
}

test('a rule gives its role on one object, with limits, and takes it back', async () => {
  const { app, params, template, rule, onTemplate, add, signIn, given } = await start();
  await add({ ...rule, pattern: 'vendor', role: 'guest' });
  const limits = { ...noLimits, tags: ['restart'] };
  const made = await add({ ...onTemplate, limits });
  expect(made).toMatchObject({ object_name: 'Restart', limits, role_name: 'Task Runner' });
  await signIn(['vendor']);
  const [grant] = await given();
  const role = { role: 'task_runner', limits, from_rules: true, granted_by: '' };
  expect(grant).toMatchObject({ username: 'ada', object_id: template.id, ...role });
  await signIn(['vendor']);
  expect((await given()).map(({ id }) => id)).toEqual([grant?.id]);
  const at = { params: { rule_id: made.id } };
  const { id: _, project_name: _p, role_name: _r, object_name: _o, ...body } = made;
  await app.admin.call(groupRules.update, { ...at, body: { ...body, role: 'manager' } as never });
  await signIn(['vendor']);
  expect((await given()).map((one) => one.role)).toEqual(['manager']);
  await app.admin.call(groupRules.remove, at);
  await signIn(['vendor']);
  expect(await given()).toEqual([]);
  const list = await app.admin.call(events.list, {});
  const codes = list.map(({ code }) => code).filter((code) => code.startsWith('grant.'));
  expect(codes.toReversed()).toEqual([
    'grant.created',
    'grant.created',
    'grant.deleted',
    'grant.deleted',
  ]);
  await app.admin.call(templates.remove, { params: { ...params, template_id: template.id } });
});

test('only members get what a rule gives on an object, and only once', async () => {
  const { app, params, rule, onTemplate, add, signIn, given } = await start();
  await add(onTemplate);
  await add({ ...onTemplate, pattern: 'vend*' });
  await signIn(['vendor']);
  expect(await given()).toEqual([]);
  const claims = { groups: ['vendor'] };
  const tried = await app.admin.call(identity.try, { body: { source: 'any', claims } });
  expect(tried.rules.map(({ matches, reason }) => [matches, reason])).toEqual([
    [true, 'members_only'],
    [true, 'members_only'],
  ]);
  await add({ ...rule, pattern: '*', role: 'guest' });
  await signIn(['vendor']);
  expect((await given()).map(({ username }) => username)).toEqual(['ada']);
  const again = await app.admin.call(identity.try, { body: { source: 'any', claims } });
  const [first] = again.grants;
  expect(first).toMatchObject({ object_name: 'Restart', role: 'task_runner' });
  await signIn(['other']);
  expect(await given()).toEqual([]);
  expect((await app.admin.call(members.list, { params })).map(({ role }) => role)).toContain(
    'guest',
  );
});

test('what somebody gave or changed stays', async () => {
  const { app, params, rule, onTemplate, add, signIn, given } = await start();
  await add({ ...rule, pattern: '*', role: 'guest' });
  await add(onTemplate);
  await signIn(['vendor']);
  const [grant] = await given();
  const at = { params: { ...params, grant_id: grant?.id ?? 0 } };
  await app.admin.call(grants.update, { ...at, body: { role: 'manager', limits: noLimits } });
  await signIn(['other']);
  expect(await given()).toMatchObject([{ role: 'manager', from_rules: false }]);
});

test('a rule goes with its object, and keeps it when an older client changes the rule', async () => {
  const { app, params, template, onTemplate, add, seed } = await start();
  const made = await add({ ...onTemplate, limits: { ...noLimits, dry_run: true } });
  const { source, claim, project_id } = onTemplate;
  const body = { source, claim, pattern: 'other', project_id, role: 'guest' };
  const at = { params: { rule_id: made.id } };
  await app.admin.call(groupRules.update, { ...at, body: body as never });
  expect(await app.admin.call(groupRules.one, at)).toMatchObject({
    pattern: 'other',
    object_id: template.id,
    limits: { dry_run: true },
  });
  const elsewhere = await seedProject(app.admin, null);
  const refused = await app.admin.ask(groupRules.create, {
    body: { ...onTemplate, project_id: elsewhere.projectId } as never,
  });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { fields: [{ path: 'object_id', code: 'field.reference' }] },
  ]);
  await app.admin.call(templates.remove, { params: { ...params, template_id: template.id } });
  expect(await app.admin.call(groupRules.list, {})).toEqual([]);
  expect(seed.projectId).toBe(project_id);
});

test.each([
  [{ object_id: null }, 'object_id', 'grant.object_required'],
  [{ object_type: null }, 'object_id', 'grant.object_required'],
  [
    { administrator: true, project_id: null, role: null },
    'object_type',
    'group_rule.object_of_admin',
  ],
  [{ object_type: 'key', limits: { ...noLimits, dry_run: true } }, 'limits', 'grant.limits_unfit'],
])('refuses a rule with %j', async (change, field, code) => {
  const { app, onTemplate } = await start();
  const refused = await app.admin.ask(groupRules.create, {
    body: { ...onTemplate, ...change } as never,
  });
  expect([refused.status, refused.body]).toMatchObject([400, { fields: [{ path: field, code }] }]);
});
