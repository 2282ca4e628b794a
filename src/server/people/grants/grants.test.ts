import { describe, expect, test } from 'vitest';
import { access, grants, restrictions } from '#shared/api/grants.ts';
import { backups } from '#shared/api/backups.ts';
import { keys } from '#shared/api/keys.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { projectRoles } from '#shared/api/roles.ts';
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
