import { describe, expect, test } from 'vitest';
import { access, grants, restrictions } from '#shared/api/grants.ts';
import { backups } from '#shared/api/backups.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import type { Right } from '#shared/rights.ts';
import { type Caller, testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

async function start() {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const owner = await app.member(seed.projectId, 'owner');
  const withRights = async (name: string, rights: Right[]): Promise<Caller> => {
    const body = { name, rights };
    const { slug } = await owner.call(projectRoles.create, { params, body });
    const one = await app.member(seed.projectId, 'guest');
    const at = { params: { ...params, user_id: one.userId } };
    await owner.call(members.update, { ...at, body: { role: slug } });
    return one;
  };
  const give = (one: Caller, type: 'template' | 'key' | 'view', id: number, role: string) =>
    owner.call(grants.create, {
      params,
      body: { user_id: one.userId, object_type: type, object_id: id, role },
    });
  return { app, seed, params, owner, withRights, give };
}

const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);

describe('a grant', () => {
  test('opens one template to somebody who sees nothing else', async () => {
    const { seed, params, withRights, give } = await start();
    const one = await seed.template({ name: 'One' });
    const other = await seed.template({ name: 'Other' });
    const vendor = await withRights('Vendor', []);
    expect(await vendor.call(templates.list, { params })).toEqual([]);
    expect((await vendor.ask(tasks.start, { params, body: { template_id: one.id } })).status).toBe(
      403,
    );
    await give(vendor, 'template', one.id, 'task_runner');
    expect(namesOf(await vendor.call(templates.list, { params }))).toEqual(['One']);
    expect(await vendor.call(keys.list, { params })).toEqual([]);
    const launched = await vendor.call(tasks.start, { params, body: { template_id: one.id } });
    expect(launched.tpl_alias).toBe('One');
    const refused = await vendor.ask(tasks.start, { params, body: { template_id: other.id } });
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([
      404,
      'template.not_found',
    ]);
    const at = { params: { ...params, template_id: one.id } };
    const change = await vendor.ask(templates.update, { ...at, body: { name: 'Two' } as never });
    expect(change.status).toBe(403);
    const mine = await vendor.call(projects.rights, { params });
    expect(mine.rights).toEqual([]);
    expect(mine.objects).toMatchObject([{ object_type: 'template', object_id: one.id }]);
  });
});

describe('a restricted object', () => {
  test('is there for those with a grant and those who give access only', async () => {
    const { app, seed, params, owner, give } = await start();
    const template = await seed.template({ name: 'Secret' });
    const open = await seed.template({ name: 'Open' });
    const manager = await app.member(seed.projectId, 'manager');
    const body = {
      object_type: 'template' as const,
      object_id: template.id,
      mode: 'hidden' as const,
    };
    await owner.call(restrictions.set, { params, body });
    expect(namesOf(await manager.call(templates.list, { params }))).toEqual(['Open']);
    expect(namesOf(await owner.call(templates.list, { params }))).toEqual(['Open', 'Secret']);
    expect(await manager.call(restrictions.list, { params })).toEqual([]);
    await owner.call(restrictions.set, { params, body: { ...body, mode: 'named' } });
    expect(await manager.call(restrictions.list, { params })).toMatchObject([
      { object_name: 'Secret', seen: false },
    ]);
    await give(manager, 'template', template.id, 'guest');
    expect(namesOf(await manager.call(templates.list, { params }))).toEqual(['Open', 'Secret']);
    const launch = (id: number) => manager.ask(tasks.start, { params, body: { template_id: id } });
    expect((await launch(template.id)).status).toBe(403);
    expect((await launch(open.id)).status).toBe(201);
    const who = await owner.call(access.ofObject, {
      params: { ...params, object_type: 'template', object_id: template.id },
    });
    expect(who.map((one) => [one.user_id, one.through.map(({ kind }) => kind)])).toEqual([
      [manager.userId, ['grant']],
      [owner.userId, ['role']],
      [app.admin.userId, ['administrator']],
    ]);
  });
});

test('a backup tells what is restricted, and a restored project is as closed', async () => {
  const { app, seed, params, owner } = await start();
  const template = await seed.template({ name: 'Secret' });
  for (const [object_type, object_id, mode] of [
    ['template', template.id, 'hidden'],
    ['key', seed.keyId, 'named'],
  ] as const) {
    await owner.call(restrictions.set, { params, body: { object_type, object_id, mode } });
  }
  const document = await owner.call(backups.read, { params });
  expect(document.restrictions).toMatchObject([
    { object_type: 'key', mode: 'named' },
    { object_type: 'template', name: 'Secret', mode: 'hidden' },
  ]);
  const body = { ...document, meta: { ...document.meta, name: 'Restored' } };
  const { id } = await app.admin.call(backups.restore, { body: body as never });
  const manager = await app.member(id, 'manager');
  const inside = { params: { project_id: id } };
  expect(await manager.call(templates.list, inside)).toEqual([]);
  expect(await manager.call(restrictions.list, inside)).toMatchObject([
    { object_type: 'key', seen: false },
  ]);
});

describe('a role on an object', () => {
  test('is about this object only, and what belongs to it', async () => {
    const { seed, params, withRights, give } = await start();
    const mine = await seed.template({ name: 'Mine' });
    const other = await seed.template({ name: 'Other' });
    const one = await withRights('Sees', ['template.see', 'inventory.see', 'environment.see']);
    await give(one, 'template', mine.id, 'manager');
    const shown = await one.call(inventories.one, {
      params: { ...params, inventory_id: seed.inventoryId },
    });
    expect(shown.inventory).toBe('');
    const plan = (template_id: number) =>
      one.ask(schedules.create, { params, body: { template_id, cron_format: '@daily' } });
    const planned = await plan(mine.id);
    expect([planned.status, (await plan(other.id)).status]).toEqual([201, 403]);
    const move = await one.ask(schedules.update, {
      params: { ...params, schedule_id: planned.body.id },
      body: { template_id: other.id } as never,
    });
    expect(move.status).toBe(403);
    const hidden = await one.ask(templates.create, { params, body: { ...mine, name: 'Copy' } });
    expect(hidden.status).toBe(403);
  });

  test('is given by those who have it there themselves', async () => {
    const { app, seed, params, withRights, give } = await start();
    const mine = await seed.template({ name: 'Mine' });
    const lead = await withRights('Lead', []);
    await give(lead, 'template', mine.id, 'manager');
    const guest = await app.member(seed.projectId, 'guest');
    const hand = (by: Caller, role: string) =>
      by.ask(grants.create, {
        params,
        body: { user_id: guest.userId, object_type: 'template', object_id: mine.id, role },
      });
    expect((await hand(lead, 'task_runner')).status).toBe(403);
    const giver = await withRights('Giver', []);
    await give(giver, 'template', mine.id, 'owner');
    expect((await hand(giver, 'owner')).status).toBe(201);
    const elsewhere = await giver.ask(grants.create, {
      params,
      body: { user_id: guest.userId, object_type: 'key', object_id: seed.keyId, role: 'guest' },
    });
    expect([elsewhere.status, elsewhere.body]).toMatchObject([
      404,
      { code: 'grant.object_missing' },
    ]);
    const seen = await giver.call(grants.list, { params });
    expect(seen.map(({ user_id: id }) => id)).toEqual([guest.userId, giver.userId, lead.userId]);
    const [given] = seen;
    const taken = { params: { ...params, grant_id: given?.id ?? 0 } };
    expect((await lead.ask(grants.remove, taken)).status).toBe(403);
    expect((await giver.ask(grants.remove, taken)).status).toBe(204);
  });

  test('is one of the project, for a member, and ends with the membership', async () => {
    const { app, seed, params, owner, give } = await start();
    const elsewhere = await seedProject(app.admin, null);
    const template = await elsewhere.template({ name: 'Elsewhere' });
    const mine = await seed.template();
    const guest = await app.member(seed.projectId, 'guest');
    const body = { user_id: guest.userId, object_type: 'template' as const, role: 'guest' };
    const foreign = { params, body: { ...body, object_id: template.id } };
    expect((await owner.ask(grants.create, foreign)).status).toBe(404);
    const restricted = { object_type: 'template' as const, object_id: template.id };
    const restriction = { params, body: { ...restricted, mode: 'hidden' as const } };
    expect((await owner.ask(restrictions.set, restriction)).status).toBe(404);
    const stranger = { ...body, user_id: (await app.user('outside')).userId, object_id: mine.id };
    const refused = await owner.ask(grants.create, { params, body: stranger });
    expect(refused.body.fields).toMatchObject([{ path: 'user_id', code: 'grant.no_member' }]);
    await give(guest, 'template', mine.id, 'task_runner');
    const member = { params: { ...params, user_id: guest.userId } };
    await owner.call(members.remove, member);
    expect(await owner.call(grants.list, { params })).toEqual([]);
  });
});

test('the table of grants is a CSV file', async () => {
  const { app, seed, params, owner, give } = await start();
  const guest = await app.member(seed.projectId, 'guest');
  await give(guest, 'template', (await seed.template({ name: 'Deploy' })).id, 'task_runner');
  const csv = await owner.raw({ url: `/api/project/${params.project_id}/grants/export` });
  expect(csv.headers['content-type']).toContain('text/csv');
  const [, line] = csv.body.split('\r\n');
  expect(line).toMatch(/^guest-\d+,.*,template,Deploy,Task Runner,,owner-\d+,/);
});
