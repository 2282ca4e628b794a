import { describe, expect, test } from 'vitest';
import { backups } from '#shared/api/backups.ts';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { members } from '#shared/api/members.ts';
import { projects } from '#shared/api/projects.ts';
import { repositories } from '#shared/api/repositories.ts';
import { templates } from '#shared/api/templates.ts';
import { users } from '#shared/api/users.ts';
import { roleNames } from '#shared/rights.ts';
import { testApp } from '../../../test/helpers/app.ts';

describe('projects', () => {
  test('begin with their owner, a key and an environment', async () => {
    const app = await testApp();
    const { status, body: made } = await app.admin.ask(projects.create, {
      body: { name: '  Trains  ', alert: true, alert_chat: '-100', max_parallel_tasks: 3 },
    });
    expect(status).toBe(201);
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Trains',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      alert: true,
      alert_chat: '-100',
      max_parallel_tasks: 3,
      runner_tags: [],
      keep_home: false,
      host_facts: [],
      execution_environment_id: null,
      type: '',
    });
    const params = { project_id: made.id };
    const { body: shown, headers } = await app.admin.ask(projects.one, { params });
    expect(shown).toEqual(made);
    expect(headers['etag']).toBe('"r1"');
    expect(await app.admin.call(members.list, { params })).toEqual([
      {
        id: app.admin.userId,
        name: 'root',
        username: 'root',
        role: 'owner',
        from_rules: false,
      },
    ]);
    expect(await app.admin.call(keys.list, { params })).toMatchObject([
      { name: 'None', type: 'none', empty: false },
    ]);
    expect(await app.admin.call(environments.list, { params })).toMatchObject([
      { name: 'Empty', json: '{}', env: '{}' },
    ]);
  });

  test('may leave out all but the name, and share it', async () => {
    const app = await testApp();
    const body = { name: 'Same', alert_chat: null, max_parallel_tasks: null, type: '' as const };
    const first = await app.admin.call(projects.create, { body });
    const second = await app.admin.call(projects.create, { body: { name: 'Same' } });
    expect(first).toMatchObject({ alert: false, alert_chat: null, max_parallel_tasks: 0 });
    expect(second).toMatchObject({ alert: false, alert_chat: null, max_parallel_tasks: 0 });
    expect(second.id).not.toBe(first.id);
  });

  test('keep facts by the names of Ansible, each once, in the order given', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    const params = { project_id: id };
    const keep = (host_facts: string[]) =>
      app.admin.ask(projects.update, { params, body: { name: 'Trains', host_facts } });
    await keep([' kernel', 'ansible_distribution', 'kernel', 'default_ipv4.address']);
    const { host_facts: kept } = await app.admin.call(projects.one, { params });
    expect(kept).toEqual(['kernel', 'distribution', 'default_ipv4.address']);
    for (const wrong of [
      'Kernel',
      'a b',
      '',
      'a..b',
      '.a',
      `a${'.b'.repeat(4)}`,
      '__proto__.x y',
    ]) {
      const { status, body } = await keep(['kernel', wrong]);
      expect([status, body]).toMatchObject([
        400,
        { fields: [{ path: 'host_facts.1', code: 'host.fact_form' }] },
      ]);
    }
    const many = await keep(Array.from({ length: 51 }, (_, index) => `fact_${index}`));
    expect(many.body).toMatchObject({ fields: [{ path: 'host_facts', code: 'field.too_many' }] });
    expect((await app.admin.call(projects.one, { params })).host_facts).toEqual(kept);
    await keep([]);
    expect((await app.admin.call(projects.one, { params })).host_facts).toEqual([]);
  });

  test('are listed by name: their own for members, all for administrators', async () => {
    const app = await testApp();
    const ids: number[] = [];
    for (const name of ['b', 'c', 'a']) {
      ids.push((await app.admin.call(projects.create, { body: { name } })).id);
    }
    const guest = await app.member(ids[0] ?? 0, 'guest');
    const outsider = await app.user('outsider');
    const names = async (caller: typeof guest) =>
      (await caller.call(projects.list, {})).map(({ name }) => name);
    expect(await names(app.admin)).toEqual(['a', 'b', 'c']);
    expect(await names(await app.user('second', { admin: true }))).toEqual(['a', 'b', 'c']);
    expect(await names(guest)).toEqual(['b']);
    expect(await names(outsider)).toEqual([]);
  });

  test('tell everybody their role and what it allows', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    const params = { project_id: id };
    const masks = { owner: 15, manager: 5, task_runner: 1, guest: 0 };
    for (const role of roleNames) {
      const one = await app.member(id, role);
      const answer = await one.call(projects.role, { params });
      expect(answer).toEqual({ role, permissions: masks[role] });
    }
    const other = await app.user('other-admin', { admin: true });
    expect(await other.call(projects.role, { params })).toEqual({ role: '', permissions: 15 });
  });

  test('give an administrator all permissions, also as a guest', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    const guest = await app.member(id, 'guest');
    await app.ctx.db
      .updateTable('users')
      .set({ admin: 1 })
      .where('id', '=', guest.userId)
      .execute();
    const answer = await guest.call(projects.role, { params: { project_id: id } });
    expect(answer).toEqual({ role: 'guest', permissions: 15 });
  });

  test('list their members in the order asked for', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    await app.member(id, 'manager');
    await app.member(id, 'guest');
    const params = { project_id: id };
    const list = async (query: object) =>
      (await app.admin.call(members.list, { params, query })).map(({ role }) => role);
    expect(await list({})).toEqual(['guest', 'manager', 'owner']);
    expect(await list({ sort: 'username', order: 'desc' })).toEqual(['owner', 'manager', 'guest']);
    expect(await list({ sort: 'role', limit: 2 })).toEqual(['guest', 'manager']);
  });

  test('do not exist for those outside, in the same words as a number never used', async () => {
    const app = await testApp();
    const { id } = await app.admin.call(projects.create, { body: { name: 'Trains' } });
    const outsider = await app.user('outsider');
    for (const endpoint of [projects.one, projects.role, members.list, templates.list]) {
      const ask = (projectId: number) =>
        outsider.ask(endpoint, { params: { project_id: projectId } });
      const [foreign, unknown] = [await ask(id), await ask(999_999)];
      expect([foreign.status, foreign.body.code]).toEqual([404, 'project.not_found']);
      const withoutId = (body: object) => ({ ...body, request_id: '' });
      expect(withoutId(unknown.body)).toEqual(withoutId(foreign.body));
      expect(unknown.status).toBe(404);
    }
    const answer = await app.admin.ask(projects.one, { params: { project_id: 999_999 } });
    expect([answer.status, answer.body.code]).toEqual([404, 'project.not_found']);
  });

  test('come from users who are no administrators only where that is allowed', async () => {
    const strict = await testApp();
    const plain = await strict.user('plain');
    const refused = await plain.ask(projects.create, { body: { name: 'Mine' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'permission.create_project']);
    expect((await plain.call(users.current, {})).can_create_project).toBe(false);
    expect(await strict.admin.call(projects.list, {})).toEqual([]);

    const open = await testApp({ config: { usersCreateProjects: true } });
    const user = await open.user('plain');
    expect((await user.call(users.current, {})).can_create_project).toBe(true);
    const { id } = await user.call(projects.create, { body: { name: 'Mine' } });
    const role = await user.call(projects.role, { params: { project_id: id } });
    expect(role).toEqual({ role: 'owner', permissions: 15 });
  });

  test('of the demo hold templates that refer to nothing outside', async () => {
    const app = await testApp();
    await app.admin.call(projects.create, { body: { name: 'Before' } });
    const { status, body } = await app.admin.ask(projects.create, {
      body: { name: 'Demo', demo: true },
    });
    expect(status).toBe(201);
    const params = { project_id: body.id };
    const ids = (list: { id: number; project_id: number }[]): number[] => {
      expect(list.every((one) => one.project_id === body.id)).toBe(true);
      return list.map(({ id }) => id);
    };
    const ofKeys = ids(await app.admin.call(keys.list, { params }));
    const repositoryList = await app.admin.call(repositories.list, { params });
    const inventoryList = await app.admin.call(inventories.list, { params });
    const ofEnvironments = ids(await app.admin.call(environments.list, { params }));
    const templateList = await app.admin.call(templates.list, { params });
    expect(ids(templateList)).toHaveLength(7);
    for (const one of templateList) {
      expect(ids(repositoryList)).toContain(one.repository_id);
      expect(ids(inventoryList)).toContain(one.inventory_id);
      expect(ofEnvironments).toContain(one.environment_id);
      expect(one.playbook).toMatch(/^\w+\.yml$/);
    }
    for (const one of [...repositoryList, ...inventoryList])
      expect(ofKeys).toContain(one.ssh_key_id);
  });
});

test('a project of another type keeps it, in a backup too', async () => {
  const app = await testApp();
  const made = await app.admin.call(projects.create, {
    body: { name: 'Modules', type: 'terraform_registry' },
  });
  const params = { project_id: made.id };
  await app.admin.call(projects.update, { params, body: { ...made, name: 'All modules' } });
  expect(await app.admin.call(projects.one, { params })).toMatchObject({
    name: 'All modules',
    type: 'terraform_registry',
  });
  const body = await app.admin.call(backups.read, { params });
  expect(await app.admin.call(backups.restore, { body })).toMatchObject({
    type: 'terraform_registry',
  });
});

describe('a new project', () => {
  const cases: [fields: Record<string, unknown>, path: string, code: string, message: string][] = [
    [{}, 'name', 'project.name_required', 'Project name is required'],
    [{ name: '' }, 'name', 'project.name_required', 'Project name is required'],
    [{ name: ' \n ' }, 'name', 'project.name_required', 'Project name is required'],
    [{ name: null }, 'name', 'project.name_required', 'Project name is required'],
    [{ name: 5 }, 'name', 'field.type', 'Wrong type: string is expected'],
    [{ name: 'x'.repeat(256) }, 'name', 'field.too_long', 'Use at most 255 characters'],
    [{ name: 'a\u0007b' }, 'name', 'field.control_characters', 'Remove the control characters'],
    [{ name: 'a\nb' }, 'name', 'field.control_characters', 'Remove the control characters'],
    [{ max_parallel_tasks: 'x' }, 'max_parallel_tasks', 'field.integer', 'Must be integer'],
    [{ max_parallel_tasks: '3x' }, 'max_parallel_tasks', 'field.integer', 'Must be integer'],
    [{ max_parallel_tasks: 1.5 }, 'max_parallel_tasks', 'field.integer', 'Must be integer'],
    [
      { max_parallel_tasks: -1 },
      'max_parallel_tasks',
      'field.zero_or_more',
      'Must be 0 or greater',
    ],
    [{ alert_chat: 'x'.repeat(31) }, 'alert_chat', 'field.too_long', 'Use at most 30 characters'],
    [{ type: 'x'.repeat(21) }, 'type', 'field.too_long', 'Use at most 20 characters'],
    [{ alert: 'yes' }, 'alert', 'field.type', 'Wrong type: boolean is expected'],
  ];

  test('is refused in the words of the field that is wrong', async () => {
    const app = await testApp();
    for (const [fields, path, code, message] of cases) {
      const payload = { ...(path === 'name' ? {} : { name: 'Fine' }), ...fields };
      const body = payload as { name: string };
      const answer = await app.admin.ask(projects.create, { body });
      expect([fields, answer.status, answer.body.code]).toEqual([fields, 400, 'request.invalid']);
      expect(answer.body.fields).toMatchObject([{ path, code, message }]);
      expect(answer.body.error).toBe(`${path}: ${message}`);
    }
    expect(await app.admin.call(projects.list, {})).toEqual([]);
  });

  test('may have the longest name, of any letters', async () => {
    const app = await testApp();
    for (const name of ['x'.repeat(255), '列車'.repeat(127), '🚂'.repeat(127)]) {
      expect((await app.admin.call(projects.create, { body: { name } })).name).toBe(name);
    }
  });
});
