import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { environments } from '#shared/api/environments.ts';
import { groupRules } from '#shared/api/identity.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { installationRoles, projectRoles } from '#shared/api/roles.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { workflows } from '#shared/api/workflows.ts';
import { completeRights, type Right, rightNames } from '#shared/rights.ts';
import { type Caller, testApp } from '../../../../test/helpers/app.ts';
import { runSeed } from '../../../../test/helpers/random.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

async function start() {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const owner = await app.member(seed.projectId, 'owner');
  const make = (name: string, rights: Right[], by = owner) =>
    by.call(projectRoles.create, { params, body: { name, rights } });
  const give = async (one: Caller, role: string, by = owner) =>
    by.ask(members.update, { params: { ...params, user_id: one.userId }, body: { role } });
  /** A member with a role of these rights. */
  const withRights = async (name: string, rights: Right[]): Promise<Caller> => {
    const { slug } = await make(name, rights);
    const one = await app.member(seed.projectId, 'guest');
    expect((await give(one, slug)).status).toBe(204);
    return one;
  };
  return { app, seed, params, owner, make, give, withRights };
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code ?? null,
];

describe('a role of the project', () => {
  test('has a short name made of its name, and the rights that others imply', async () => {
    const { make } = await start();
    const role = await make('On call, 24/7 in Zürich', ['schedule.edit', 'environment.edit']);
    expect(role).toMatchObject({
      slug: 'on-call-24-7-in-z',
      rights: [
        'template.see',
        'template.run',
        'workflow.see',
        'workflow.run',
        'schedule.edit',
        'environment.see',
        'environment.read',
        'environment.edit',
      ],
    });
    expect((await make('On call, 24/7 in Zürich!', [])).slug).toBe('on-call-24-7-in-z-2');
    expect((await make('值班', [])).slug).toBe('role');
  });

  test('decides what its members may do, from the next request on', async () => {
    const { seed, params, owner, withRights } = await start();
    const one = await withRights('Stoppers', ['task.stop']);
    const rights = ['template.see', 'task.stop'];
    const shown = {
      role: 'stoppers',
      role_name: 'Stoppers',
      rights,
      restricted: false,
      objects: [],
    };
    expect(await one.call(projects.rights, { params })).toEqual(shown);
    const bits = await one.call(projects.role, { params });
    expect(bits).toEqual({ role: 'stoppers', permissions: 0 });
    const { id } = await seed.template();
    const launch = () => one.ask(tasks.start, { params, body: { template_id: id } });
    const refused = await launch();
    expect(codeOf(refused)).toEqual([403, 'permission.denied']);
    expect(refused.body.params).toEqual({ right: 'template.run', givers: 'owner-1, root' });
    const [listed] = await owner.call(projectRoles.list, { params });
    const roleId = listed?.id ?? 0;
    const body = { name: 'Starters', rights: ['template.run' as const] };
    await owner.call(projectRoles.update, { params: { ...params, role_id: roleId }, body });
    expect((await launch()).status).toBe(201);
    const stop = await one.ask(tasks.stopAll, { params: { ...params, template_id: id } });
    expect(codeOf(stop)).toEqual([403, 'permission.denied']);
  });

  test('hides content from those who may not read it', async () => {
    const { seed, params, owner, withRights } = await start();
    const one = await withRights('Readers', ['inventory.read', 'environment.see']);
    const at = { params: { ...params, inventory_id: seed.inventoryId } };
    expect((await one.call(inventories.one, at)).inventory).not.toBe('');
    const body = { name: 'Secret', json: '{"a": 1}' };
    const { id } = await owner.call(environments.create, { params, body });
    const shown = await one.call(environments.one, { params: { ...params, environment_id: id } });
    expect(shown.json).toBe('{}');
  });

  test('is not deleted while members, rules or approvals have it', async () => {
    const { app, params, owner, make, give } = await start();
    const { id, slug } = await make('On call', ['workflow.approve']);
    const one = await app.member(params.project_id, 'guest');
    await give(one, slug);
    const node = { key: 'ask', name: 'Ask', type: 'approval' as const, question: 'Go on?' };
    const graph = { nodes: [{ ...node, roles: [slug] }], edges: [] };
    await owner.call(workflows.create, { params, body: { name: 'Release', graph } });
    const rule = { source: 'any', claim: 'groups', pattern: 'ops', role: slug };
    await app.admin.call(groupRules.create, {
      body: { ...rule, project_id: params.project_id, administrator: false },
    });
    const refused = await owner.ask(projectRoles.remove, { params: { ...params, role_id: id } });
    expect([refused.status, refused.body.params]).toEqual([
      409,
      { members: 1, grants: 0, rules: 1, approvals: 1 },
    ]);
    const unused = await make('Nobody', []);
    await owner.call(projectRoles.remove, { params: { ...params, role_id: unused.id } });
    expect((await owner.call(projectRoles.list, { params })).map((role) => role.slug)).toEqual([
      slug,
    ]);
  });

  test('is known in its project only', async () => {
    const { app, make } = await start();
    const { slug } = await make('On call', []);
    const other = await seedProject(app.admin, null);
    const one = await app.user('one');
    const answer = await app.admin.ask(members.create, {
      params: { project_id: other.projectId },
      body: { user_id: one.userId, role: slug },
    });
    expect(answer.body.fields).toMatchObject([{ path: 'role', code: 'member.role_unknown' }]);
  });

  test('has neither the name nor the short name of another one', async () => {
    const { app, params, owner, make } = await start();
    await make('On call', []);
    const shared = { name: 'Auditors', slug: 'audit', rights: [] };
    await app.admin.call(installationRoles.create, { body: shared });
    for (const [body, code] of [
      [{ name: 'on call', rights: [], slug: 'on-call' }, 'role.slug_taken'],
      [{ name: 'On call', rights: [] }, 'role.name_taken'],
      [{ name: 'Owner', rights: [] }, 'role.name_taken'],
      [{ name: 'auditors', rights: [] }, 'role.name_taken'],
      [{ name: 'Audit', slug: 'audit', rights: [] }, 'role.slug_taken'],
      [{ name: 'Mine', slug: 'owner', rights: [] }, 'role.slug_taken'],
    ] as const) {
      expect([
        body.name,
        ...codeOf(await owner.ask(projectRoles.create, { params, body: { ...body, rights: [] } })),
      ]).toEqual([body.name, 409, code]);
    }
  });
});

describe('nobody gives a right that they lack', () => {
  const lead: Right[] = ['member.manage', 'role.edit', 'template.run'];

  test('by a role that they make, change or delete', async () => {
    const { params, make, withRights } = await start();
    const one = await withRights('Lead', lead);
    const strong = await make('Strong', ['key.edit']);
    const beyond = [
      await one.ask(projectRoles.create, { params, body: { name: 'Mine', rights: ['key.use'] } }),
      await one.ask(projectRoles.create, {
        params,
        body: { name: 'All', rights: ['schedule.edit'] },
      }),
      await one.ask(projectRoles.update, {
        params: { ...params, role_id: strong.id },
        body: { name: 'Weak', rights: [] },
      }),
      await one.ask(projectRoles.remove, { params: { ...params, role_id: strong.id } }),
    ];
    for (const answer of beyond) expect(codeOf(answer)).toEqual([403, 'permission.beyond']);
    expect(beyond[1]?.body.params).toEqual({ rights: 'workflow.run, schedule.edit' });
    const made = await make('Runners', ['template.run'], one);
    const body = { name: 'Runners', rights: ['template.run' as const, 'key.use' as const] };
    const raised = await one.ask(projectRoles.update, {
      params: { ...params, role_id: made.id },
      body,
    });
    expect(codeOf(raised)).toEqual([403, 'permission.beyond']);
  });

  test('by a role that they give or take away', async () => {
    const { app, params, make, give, withRights, owner } = await start();
    const one = await withRights('Lead', lead);
    await make('Strong', ['key.edit']);
    const guest = await app.member(params.project_id, 'guest');
    for (const role of ['owner', 'manager', 'strong']) {
      expect([role, ...codeOf(await give(guest, role, one))]).toEqual([
        role,
        403,
        'permission.beyond',
      ]);
    }
    const outside = await app.user('outside');
    const body = { user_id: outside.userId, role: 'owner' };
    expect(codeOf(await one.ask(members.create, { params, body }))).toEqual([
      403,
      'permission.beyond',
    ]);
    const ofOwner = { params: { ...params, user_id: owner.userId } };
    expect(codeOf(await give(owner, 'guest', one))).toEqual([403, 'permission.beyond']);
    expect(codeOf(await one.ask(members.remove, ofOwner))).toEqual([403, 'permission.beyond']);
    expect(codeOf(await give(one, 'owner', one))).toEqual([403, 'permission.beyond']);
    expect((await make('Restart', ['template.run'], one)).slug).toBe('restart');
    expect((await give(guest, 'restart', one)).status).toBe(204);
  });

  test('by putting into something what they may not use', async () => {
    const { seed, params, owner, withRights } = await start();
    const key = { name: 'Vault', type: 'login_password' as const };
    const secret = { login_password: { login: 'me', password: 'secret words' } };
    const { id: keyId } = await owner.call(keys.create, { params, body: { ...key, ...secret } });
    const used = await seed.template({ name: 'Uses a key' });
    /** A body with some fields is a partial change. */
    const change = (by: Caller, id: number, body: object) =>
      by.ask(templates.update, { params: { ...params, template_id: id }, body: body as never });
    await change(owner, used.id, { vault_key_id: keyId });
    const plain = await seed.template({ name: 'Plain' });
    const one = await withRights('Writers', [
      'template.edit',
      'key.see',
      'repository.use',
      'inventory.use',
      'environment.use',
    ]);
    expect((await change(one, plain.id, { description: 'x' })).status).toBe(204);
    const refusals = [
      await change(one, plain.id, { vault_key_id: keyId }),
      await change(one, used.id, { playbook: 'mine.yml' }),
      await change(one, used.id, { vault_key_id: null }),
      await change(one, plain.id, { runner_tags: ['dmz'] }),
      await one.ask(inventories.create, {
        params,
        body: { name: 'Mine', type: 'static', inventory: 'localhost', ssh_key_id: keyId },
      }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.params?.['right']])).toEqual([
      [403, 'key.use'],
      [403, 'key.use'],
      [403, 'key.use'],
      [403, 'runner.use'],
      [403, 'inventory.edit'],
    ]);
    const body = {
      action: 'change' as const,
      ids: [plain.id, used.id],
      values: { git_branch: 'main' },
    };
    const results = await one.call(templates.bulk, { params, body });
    expect(results.map(({ ok, error }) => [ok, error?.params])).toEqual([
      [true, undefined],
      [false, { right: 'key.use', givers: 'owner-1, root' }],
    ]);
  });
});

test('a role of the installation is given in every project, and changed by administrators only', async () => {
  const { app, params, owner, give } = await start();
  const body = {
    name: 'Auditors',
    description: 'They read',
    rights: ['environment.read' as const],
  };
  const shared = await app.admin.call(installationRoles.create, { body });
  const one = await app.member(params.project_id, 'guest');
  expect((await give(one, shared.slug)).status).toBe(204);
  const inProject = { params: { ...params, role_id: shared.id } };
  expect((await owner.call(projectRoles.one, inProject)).project_id).toBeNull();
  for (const answer of [
    await owner.ask(projectRoles.remove, inProject),
    await owner.ask(projectRoles.update, { ...inProject, body }),
  ]) {
    expect(codeOf(answer)).toEqual([403, 'role.of_installation']);
  }
  const at = { params: { installation_role_id: shared.id } };
  expect(codeOf(await app.admin.ask(installationRoles.remove, at))).toEqual([409, 'role.in_use']);
  expect((await app.admin.call(installationRoles.list, {})).map((role) => role.members)).toEqual([
    1,
  ]);
});

test('whatever rights somebody has, what they make and give never exceeds them', async () => {
  const { app, params, make, give, withRights } = await start();
  const choices = fc.sample(fc.tuple(fc.subarray(rightNames), fc.subarray(rightNames)), {
    seed: runSeed,
    numRuns: 12,
  });
  for (const [index, [own, wanted]] of choices.entries()) {
    const about = `${runSeed} ${index}`;
    const one = await withRights(`Own ${index}`, ['member.manage', 'role.edit', ...own]);
    const mine = new Set(completeRights(['member.manage', 'role.edit', ...own]));
    const body = { name: `Made ${index}`, rights: wanted };
    const made = await one.ask(projectRoles.create, { params, body });
    const isWithin = completeRights(wanted).every((right) => mine.has(right));
    expect([about, made.status]).toEqual([about, isWithin ? 201 : 403]);
    const given = await make(`Given ${index}`, wanted);
    const guest = await app.member(params.project_id, 'guest');
    expect([about, (await give(guest, given.slug, one)).status]).toEqual([
      about,
      isWithin ? 204 : 403,
    ]);
    const { rights } = await guest.call(projects.rights, { params });
    expect([about, rights.every((right) => mine.has(right))]).toEqual([about, true]);
  }
});
