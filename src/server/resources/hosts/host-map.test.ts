import { describe, expect, test } from 'vitest';
import { hosts } from '#shared/api/hosts.ts';
import { inventories } from '#shared/api/inventories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

const text = '[web]\nweb-1\nweb-2\n[eu]\nweb-1\n[all]\nlone';

describe('the map of hosts', () => {
  async function start() {
    const app = await testApp();
    const seed = await seedProject(app.admin, null);
    const params = { project_id: seed.projectId };
    const body = {
      name: 'Production',
      type: 'static' as const,
      inventory: text,
      ssh_key_id: seed.keyId,
    };
    await app.admin.call(inventories.create, { params, body });
    const read = (query = {}, caller: Pick<typeof app.admin, 'call'> = app.admin) =>
      caller.call(hosts.map, { params, query });
    const ran = async (name: string, outcome: 'failed' | 'ok') => {
      const { id: template_id } = await seed.template({ name: `Patch ${name}` });
      const { id } = await app.admin.call(tasks.start, { params, body: { template_id } });
      await app.ctx.db
        .updateTable('hosts')
        .set({ last_task_id: id, last_outcome: outcome })
        .where('name', '=', name)
        .execute();
      return id;
    };
    return { app, seed, params, read, ran };
  }

  test('has the last run and the groups of each host, the newest run first', async () => {
    const { read, ran } = await start();
    await ran('web-2', 'ok');
    const id = await ran('web-1', 'failed');
    const map = await read();
    expect(map.has_more).toBe(false);
    expect(map.hosts.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['web-1', 'failed'],
      ['web-2', 'ok'],
      // Of the inventory of every seeded project.
      ['localhost', null],
      ['lone', null],
    ]);
    const [first, second, , lone] = map.hosts.map((host) => ({
      run: map.runs[host.run ?? -1]?.task_id,
      groups: host.groups.map((index) => map.groups[index]?.name),
    }));
    expect(first).toEqual({ run: id, groups: ['eu', 'web'] });
    expect(second?.groups).toEqual(['web']);
    expect(lone).toEqual({ run: undefined, groups: ['Production'] });
  });

  test('has the hosts that the filter keeps', async () => {
    const { read, ran } = await start();
    await ran('web-1', 'failed');
    const namesOf = async (query: object) => (await read(query)).hosts.map(({ name }) => name);
    expect(await namesOf({ outcome: 'failed' })).toEqual(['web-1']);
    expect(await namesOf({ outcome: 'none' })).toEqual(['localhost', 'lone', 'web-2']);
    expect(await namesOf({ q: 'B-2' })).toEqual(['web-2']);
  });

  test('guests see the hosts of runs only, and no groups', async () => {
    const { app, params, read, ran } = await start();
    await ran('web-1', 'failed');
    const guest = await app.member(params.project_id, 'guest');
    const map = await read({}, guest);
    expect(map.hosts).toEqual([{ name: 'web-1', outcome: 'failed', run: 0, groups: [] }]);
    expect(map.groups).toEqual([]);
  });

  test('another project has none of these hosts', async () => {
    const { app } = await start();
    const other = await seedProject(app.admin, null);
    const map = await app.admin.call(hosts.map, { params: { project_id: other.projectId } });
    expect(map.hosts.map(({ name }) => name)).toEqual(['localhost']);
    expect([map.runs, map.groups]).toEqual([[], [{ name: 'Hosts', kind: 'inventory' }]]);
  });

  test('5,001 hosts are 5,000 and a note that there are more', async () => {
    const { app, params, read } = await start();
    const many = Array.from({ length: 5001 - 4 }, (_, index) => `node-${index}`).join('\n');
    const [made] = await app.admin.call(inventories.list, { params });
    const body = { name: 'Many', type: 'static' as const, inventory: many };
    await app.admin.call(inventories.create, {
      params,
      body: { ...body, ssh_key_id: made?.ssh_key_id ?? 0 },
    });
    const map = await read();
    expect([map.hosts.length, map.has_more]).toEqual([5000, true]);
  });
});
