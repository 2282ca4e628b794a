// Laws about giving access: nobody gives, changes, takes away or restricts what they may not, and it counts at once.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grants, restrictions } from '#shared/api/grants.ts';
import { members } from '#shared/api/members.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { rightsAbout } from '#shared/grants/granted-types.ts';
import { builtInRights, includesAll, type Right, rightNames, type Rights } from '#shared/rights.ts';
import { type Caller, testApp } from './helpers/app.ts';
import { runSeed } from './helpers/random.ts';
import { seedProject } from './helpers/seed.ts';

type Kind = 'template' | 'view' | 'key';

interface Chosen {
  object_type: Kind;
  object_id: number;
}

interface GivenGrant {
  id: number;
  object: Chosen;
  rights: Rights;
  isLimited: boolean;
}

const isSame = (one: Chosen, other: Chosen): boolean =>
  one.object_type === other.object_type && one.object_id === other.object_id;

async function start() {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const owner = await app.member(seed.projectId, 'owner');
  const view = await owner.call(views.create, { params, body: { title: 'Shown' } });
  const free = await seed.template({ name: 'Free' });
  const shown = await seed.template({ name: 'Shown', view_id: view.id });
  const objects: Chosen[] = [
    { object_type: 'template', object_id: free.id },
    { object_type: 'template', object_id: shown.id },
    { object_type: 'view', object_id: view.id },
    { object_type: 'key', object_id: seed.keyId },
  ];
  const makeRole = (name: string, rights: Right[]) =>
    owner.call(projectRoles.create, { params, body: { name, rights } });
  let count = 0;
  const withRole = async (rights: Right[]): Promise<{ caller: Caller; rights: Rights }> => {
    count += 1;
    const role = await makeRole(`Random ${count}`, rights);
    const caller = await app.member(seed.projectId, 'guest');
    const at = { params: { ...params, user_id: caller.userId } };
    await owner.call(members.update, { ...at, body: { role: role.slug } });
    return { caller, rights: new Set(role.rights) };
  };
  /** The view of a template, with which it is given and restricted. */
  const withView = (object: Chosen): Chosen[] =>
    object.object_id === shown.id && object.object_type === 'template'
      ? [object, { object_type: 'view', object_id: view.id }]
      : [object];
  const shownBy = (object: Chosen): Chosen[] =>
    object.object_type === 'view'
      ? [object, { object_type: 'template', object_id: shown.id }]
      : [object];
  return { app, seed, params, owner, objects, makeRole, withRole, withView, shownBy, view, free };
}

type World = Awaited<ReturnType<typeof start>>;

/** What somebody may do with an object, by the words of the guide. */
function rightsBy(
  { withView }: World,
  { ofRole, restricted, given }: { ofRole: Rights; restricted: Chosen[]; given: GivenGrant[] },
  object: Chosen,
): Rights {
  const about = withView(object);
  const isIn = (one: Chosen): boolean => about.some((other) => isSame(one, other));
  const isKeptOut = !ofRole.has('grant.edit') && restricted.some(isIn);
  const all = new Set<Right>(isKeptOut ? [] : ofRole);
  for (const { object: on, rights, isLimited } of given.filter((one) => isIn(one.object))) {
    const counted = isLimited ? rights.intersection(builtInRights.task_runner) : rights;
    for (const right of rightsAbout(object.object_type, counted)) all.add(right);
    // Every grant lets its holder see the object.
    if (isIn(on)) all.add(`${object.object_type}.see`);
  }
  return all;
}

const scenario = fc.record({
  ofRole: fc.subarray(rightNames),
  restricted: fc.subarray([0, 1, 2, 3]),
  held: fc.array(
    fc.record({
      object: fc.nat(3),
      rights: fc.subarray(rightNames),
      owner: fc.boolean(),
      isLimited: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  given: fc.subarray(rightNames, { maxLength: 12 }),
});

type Random = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** A person with a random role and random grants, among random restrictions. */
async function makePerson(world: World, random: Random, name: string) {
  const { params, owner, objects, makeRole, withRole } = world;
  const { caller, rights: ofRole } = await withRole(random.ofRole);
  const restricted = random.restricted.map((at) => objects[at] as Chosen);
  for (const object of objects) {
    const mode = restricted.includes(object) ? 'hidden' : 'open';
    await owner.call(restrictions.set, { params, body: { ...object, mode } });
  }
  const given: GivenGrant[] = [];
  for (const [at, held] of random.held.entries()) {
    const object = objects[held.object] as Chosen;
    const isLimited = held.isLimited && object.object_type !== 'key';
    const role = held.owner
      ? { slug: 'owner', rights: [...builtInRights.owner] }
      : await makeRole(`Held ${name} ${at}`, held.rights);
    const body = { ...object, user_id: caller.userId, role: role.slug };
    const limits = isLimited ? { dry_run: true } : {};
    const { id } = await owner.call(grants.create, { params, body: { ...body, limits } });
    given.push({ id, object, rights: new Set(role.rights), isLimited });
  }
  const on = (object: Chosen): Rights => rightsBy(world, { ofRole, restricted, given }, object);
  return { caller, restricted, given, on };
}

type Person = Awaited<ReturnType<typeof makePerson>>;

type Outcome = [what: string, status: number, isAllowed: boolean];

/** Lets a person give, change, take away and restrict; returns what came of it, and what should. */
async function tryAll(
  { params, owner, shownBy }: World,
  { caller, restricted, on }: Person,
  {
    object,
    userId,
    role,
  }: { object: Chosen; userId: number; role: { slug: string; rights: Right[] } },
): Promise<Outcome[]> {
  const isGiver = on(object).has('grant.edit') && on(object).has(`${object.object_type}.see`);
  const isAllowed =
    isGiver &&
    shownBy(object).every((one) =>
      includesAll(on(one), rightsAbout(one.object_type, new Set(role.rights))),
    );
  const body = { ...object, user_id: userId, role: role.slug };
  const created = await caller.ask(grants.create, { params, body });
  const { id } =
    created.status < 300 ? created.body : await owner.call(grants.create, { params, body });
  const at = { params: { ...params, grant_id: id } };
  const change = await caller.ask(grants.update, { ...at, body: { role: role.slug } });
  const removal = await caller.ask(grants.remove, at);
  const mode = restricted.includes(object) ? 'hidden' : 'open';
  const restriction = await caller.ask(restrictions.set, { params, body: { ...object, mode } });
  return [
    ['give', created.status, isAllowed],
    ['change', change.status, isAllowed],
    ['take', removal.status, isAllowed],
    ['restrict', restriction.status, isGiver],
  ];
}

test('nobody gives, changes, takes away or restricts what they may not', async () => {
  const world = await start();
  const { app, params, owner, objects, makeRole, seed } = world;
  const { userId } = await app.member(seed.projectId, 'guest');
  const tried = new Set<string>();
  for (const [index, random] of fc.sample(scenario, { seed: runSeed, numRuns: 25 }).entries()) {
    const person = await makePerson(world, random, String(index));
    const role = await makeRole(`Given ${index}`, random.given);
    for (const object of objects) {
      for (const [what, status, isAllowed] of await tryAll(world, person, {
        object,
        userId,
        role,
      })) {
        const about = [what, object, random];
        expect([about, status < 300]).toEqual([about, isAllowed]);
        expect([about, isAllowed || [403, 404].includes(status)]).toEqual([about, true]);
        tried.add(`${what} ${isAllowed}`);
      }
    }
    for (const { id } of person.given) {
      await owner.call(grants.remove, { params: { ...params, grant_id: id } });
    }
  }
  expect(tried.size).toBe(8);
}, 240_000);

describe('nobody raises what they may do', () => {
  const seeing: Right[] = ['template.edit', 'view.edit', 'role.edit', 'state.manage'];

  test('by moving a template into a view that is given to them', async () => {
    const { params, owner, withRole, view, free } = await start();
    const { caller } = await withRole([
      ...seeing,
      'repository.use',
      'inventory.use',
      'key.use',
      'environment.use',
    ]);
    const body = { user_id: caller.userId, object_type: 'view' as const, object_id: view.id };
    await owner.call(grants.create, { params, body: { ...body, role: 'owner' } });
    const at = { params: { ...params, template_id: free.id } };
    const { last_task: _task, ...stored } = await owner.call(templates.one, at);
    const moved = { ...stored, view_id: view.id } as never;
    expect((await caller.ask(templates.update, { ...at, body: moved })).status).toBe(403);
    const bulk = { action: 'change' as const, ids: [free.id], values: { view_id: view.id } };
    const [result] = await caller.call(templates.bulk, { params, body: bulk });
    expect(result?.error?.code).toBe('permission.denied');
    expect((await owner.ask(templates.update, { ...at, body: moved })).status).toBe(204);
  });

  test('by deleting a restricted view', async () => {
    const { params, owner, withRole, view } = await start();
    const { caller } = await withRole(seeing);
    await owner.call(restrictions.set, {
      params,
      body: { object_type: 'view', object_id: view.id, mode: 'hidden' },
    });
    const at = { params: { ...params, view_id: view.id } };
    expect((await caller.ask(views.remove, at)).status).toBe(404);
    const body = { user_id: caller.userId, object_type: 'view' as const, object_id: view.id };
    await owner.call(grants.create, { params, body: { ...body, role: 'manager' } });
    expect((await caller.ask(views.remove, at)).status).toBe(403);
    expect((await owner.ask(views.remove, at)).status).toBe(204);
  });

  test('by changing the role that a grant gives them', async () => {
    const { params, owner, makeRole, withRole, free } = await start();
    const { caller } = await withRole([...seeing, 'template.run']);
    const role = await makeRole('Sees', ['template.see']);
    const object = { object_type: 'template' as const, object_id: free.id };
    await owner.call(restrictions.set, { params, body: { ...object, mode: 'hidden' } });
    const change = (rights: Right[]) =>
      caller.ask(projectRoles.update, {
        params: { ...params, role_id: role.id },
        body: { name: 'Sees', rights },
      });
    expect((await change(['template.see', 'template.edit'])).status).toBe(204);
    const body = { ...object, user_id: caller.userId, role: role.slug };
    await owner.call(grants.create, { params, body });
    expect((await change(['template.see', 'template.run'])).status).toBe(403);
  });

  test('by a view that shows something restricted', async () => {
    const { params, owner, makeRole, withRole, view, objects } = await start();
    const { caller } = await withRole(['template.run', 'view.see', 'workflow.see']);
    const [, shown] = objects;
    const giving = await makeRole('Gives', ['grant.edit']);
    await owner.call(restrictions.set, { params, body: { ...(shown as Chosen), mode: 'hidden' } });
    const body = { user_id: caller.userId, object_type: 'view' as const, object_id: view.id };
    await owner.call(grants.create, { params, body: { ...body, role: giving.slug } });
    const answer = await caller.ask(grants.create, {
      params,
      body: { ...body, role: 'task_runner' },
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'permission.beyond']);
  });
});

describe('access ends', () => {
  test('with the membership, and is of one project only', async () => {
    const { app, params, owner, withRole, free, makeRole } = await start();
    const { caller } = await withRole([]);
    const role = await makeRole('Vendor', []);
    const object = { object_type: 'template' as const, object_id: free.id };
    const body = { ...object, user_id: caller.userId, role: 'task_runner' };
    const { id } = await owner.call(grants.create, { params, body });
    const at = { params: { ...params, template_id: free.id } };
    expect((await caller.ask(templates.one, at)).status).toBe(200);
    const member = { params: { ...params, user_id: caller.userId } };
    await owner.call(members.remove, member);
    await owner.call(members.create, { params, body: { user_id: caller.userId, role: role.slug } });
    expect((await caller.ask(templates.one, at)).status).toBe(404);
    const gone = await owner.ask(grants.one, { params: { ...params, grant_id: id } });
    expect(gone.status).toBe(404);

    const other = await seedProject(app.admin, null);
    const elsewhere = { project_id: other.projectId };
    const theirs = await app.member(other.projectId, 'owner');
    const again = await owner.call(grants.create, { params, body });
    const foreign = { params: { ...elsewhere, grant_id: again.id } };
    expect((await theirs.ask(grants.one, foreign)).status).toBe(404);
    expect((await theirs.ask(grants.update, { ...foreign, body: { role: 'owner' } })).status).toBe(
      404,
    );
    expect((await theirs.ask(grants.remove, foreign)).status).toBe(404);
    const given = { ...body, user_id: theirs.userId };
    const answer = await theirs.ask(grants.create, { params: elsewhere, body: given });
    expect([answer.status, answer.body.code]).toEqual([404, 'grant.object_missing']);
    const mode = { ...object, mode: 'hidden' as const };
    expect((await theirs.ask(restrictions.set, { params: elsewhere, body: mode })).status).toBe(
      404,
    );
  });
});
