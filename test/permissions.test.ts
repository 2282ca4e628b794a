// Who may call what. A changed permission must be changed in this table too.

import { describe, expect, test } from 'vitest';
import { type Method, pathOf } from '#shared/api/endpoint.ts';
import { endpoints, mergeOf } from '#shared/api/index.ts';
import { projects } from '#shared/api/projects.ts';
import { can, isProjectPermission, roles, type Requirement } from '#shared/permissions.ts';
import { type Caller, testApp } from './helpers/app.ts';
import { everyId } from './helpers/every-id.ts';
import { seedProject } from './helpers/seed.ts';

const permissions: Record<string, Requirement> = {
  'system.ping': 'public',
  'system.health': 'public',
  'system.info': 'user',
  'system.openapi': 'public',

  'session.ways': 'public',
  'session.signIn': 'public',
  'session.signOut': 'public',
  'session.list': 'user',
  'session.revoke': 'user',
  'session.revokeOthers': 'user',

  'secondFactor.state': 'user',
  'secondFactor.start': 'user',
  'secondFactor.confirm': 'user',
  'secondFactor.remove': 'user',
  'secondFactor.renewCodes': 'user',

  'tokens.list': 'user',
  'tokens.create': 'user',
  'tokens.remove': 'user',

  'users.current': 'user',
  'users.list': 'user',
  'users.create': 'admin',
  'users.one': 'user',
  'users.update': 'user',
  'users.remove': 'admin',
  'users.password': 'user',
  'users.removeSecondFactor': 'admin',

  'projects.list': 'user',
  'projects.create': 'create_project',
  'projects.one': 'member',
  'projects.update': 'update_project',
  'projects.remove': 'update_project',
  'projects.role': 'member',

  'apps.list': 'user',
  'apps.one': 'admin',
  'apps.update': 'admin',
  'apps.create': 'admin',
  'apps.switch': 'admin',
  'apps.remove': 'admin',

  'members.list': 'member',
  'members.create': 'manage_users',
  'members.one': 'member',
  'members.update': 'manage_users',
  'members.remove': 'manage_users',
  'members.leave': 'member',

  'keys.list': 'member',
  'keys.create': 'manage_resources',
  'keys.one': 'member',
  'keys.update': 'manage_resources',
  'keys.refs': 'member',
  'keys.remove': 'manage_resources',

  'hostKeys.list': 'member',
  'hostKeys.remove': 'manage_resources',
  'hostKeys.removeAll': 'manage_resources',

  'repositories.list': 'member',
  'repositories.create': 'manage_resources',
  'repositories.branches': 'manage_resources',
  'repositories.one': 'member',
  'repositories.update': 'manage_resources',
  'repositories.refs': 'member',
  'repositories.remove': 'manage_resources',

  'inventories.list': 'member',
  'inventories.create': 'manage_resources',
  'inventories.preview': 'manage_resources',
  'inventories.one': 'member',
  'inventories.update': 'manage_resources',
  'inventories.refs': 'member',
  'inventories.remove': 'manage_resources',

  'environments.list': 'member',
  'environments.create': 'manage_resources',
  'environments.one': 'member',
  'environments.update': 'manage_resources',
  'environments.refs': 'member',
  'environments.remove': 'manage_resources',

  'views.list': 'member',
  'views.create': 'manage_resources',
  'views.place': 'manage_resources',
  'views.one': 'member',
  'views.update': 'manage_resources',
  'views.remove': 'manage_resources',

  'templates.list': 'member',
  'templates.ofView': 'member',
  'templates.create': 'manage_resources',
  'templates.one': 'member',
  'templates.update': 'manage_resources',
  'templates.refs': 'member',
  'templates.remove': 'manage_resources',

  'schedules.list': 'member',
  'schedules.ofTemplate': 'member',
  'schedules.create': 'manage_resources',
  'schedules.validate': 'manage_resources',
  'schedules.one': 'member',
  'schedules.update': 'manage_resources',
  'schedules.switch': 'manage_resources',
  'schedules.fires': 'member',
  'schedules.remove': 'manage_resources',

  'tasks.list': 'member',
  'tasks.last': 'member',
  'tasks.ofTemplate': 'member',
  'tasks.lastOfTemplate': 'member',
  'tasks.start': 'run_tasks',
  'tasks.one': 'member',
  'tasks.output': 'member',
  'tasks.lines': 'member',
  'tasks.text': 'member',
  'tasks.search': 'member',
  'tasks.outline': 'member',
  'tasks.hosts': 'member',
  'tasks.remove': 'manage_resources',
  'tasks.stopAll': 'run_tasks',
  'tasks.confirm': 'run_tasks',
  'tasks.stop': 'run_tasks',

  'activeTasks.list': 'admin',
  'activeTasks.one': 'admin',
  'activeTasks.stop': 'admin',

  'stats.ofProject': 'member',

  'integrations.list': 'member',
  'integrations.create': 'manage_integrations',
  'integrations.one': 'member',
  'integrations.update': 'manage_integrations',
  'integrations.refs': 'member',
  'integrations.remove': 'manage_integrations',

  'aliases.ofProject': 'manage_integrations',
  'aliases.addToProject': 'manage_integrations',
  'aliases.removeFromProject': 'manage_integrations',
  'aliases.list': 'manage_integrations',
  'aliases.create': 'manage_integrations',
  'aliases.remove': 'manage_integrations',

  'extractValues.list': 'member',
  'extractValues.create': 'manage_integrations',
  'extractValues.one': 'member',
  'extractValues.update': 'manage_integrations',
  'extractValues.refs': 'member',
  'extractValues.remove': 'manage_integrations',

  'matchers.list': 'member',
  'matchers.create': 'manage_integrations',
  'matchers.one': 'member',
  'matchers.update': 'manage_integrations',
  'matchers.refs': 'member',
  'matchers.remove': 'manage_integrations',

  'deliveries.list': 'manage_integrations',
  'deliveries.one': 'manage_integrations',
  'deliveries.replay': 'manage_integrations',
  'deliveries.try': 'manage_integrations',

  'webhooks.receive': 'public',
  'webhooks.receiveEmpty': 'public',
  'webhooks.options': 'public',
  'alertChannels.list': 'member',
  'alertChannels.create': 'update_project',
  'alertChannels.one': 'member',
  'alertChannels.update': 'update_project',
  'alertChannels.remove': 'update_project',
  'alertChannels.test': 'update_project',

  'alertDeliveries.list': 'update_project',
  'alertDeliveries.ofChannel': 'update_project',
  'alertDeliveries.retry': 'update_project',

  'options.list': 'admin',
  'options.set': 'admin',

  'runners.list': 'admin',
  'runners.create': 'admin',
  'runners.renewToken': 'admin',
  'runnerDesk.register': 'public',
  'runnerDesk.news': 'runner',
  'runnerDesk.sortOut': 'runner',
  'runnerDesk.answerLook': 'runner',
  'runnerDesk.secrets': 'runner',
  'runnerDesk.report': 'runner',
  'runnerDesk.log': 'runner',
  'runners.update': 'admin',
  'runners.remove': 'admin',

  'backups.read': 'update_project',
  'backups.restore': 'create_project',

  'identity.begin': 'public',
  'identity.complete': 'public',
  'identity.providers': 'admin',
  'identity.try': 'admin',

  'groupRules.list': 'admin',
  'groupRules.create': 'admin',
  'groupRules.one': 'admin',
  'groupRules.update': 'admin',
  'groupRules.place': 'admin',
  'groupRules.remove': 'admin',

  'events.list': 'user',
  'events.last': 'user',
  'events.export': 'admin',
  'events.ofProject': 'member',
  'events.lastOfProject': 'member',
  'events.exportOfProject': 'update_project',
};

// Whoever may replace a resource may also change a part of it.
for (const { name, noun, endpoint } of endpoints) {
  const put = mergeOf(endpoint) && permissions[name];
  if (put) permissions[`${noun}.patch`] = put;
}

test('the table names every endpoint with what it asks for', () => {
  const declared = Object.fromEntries(
    endpoints.map(({ name, endpoint }) => [name, endpoint.permission]),
  );
  expect(declared).toEqual(permissions);
});

test('integrations are for those who manage resources, and for those who change the project', () => {
  const masks = Array.from({ length: 16 }, (_, mask) => mask);
  const allowed = masks.filter((mask) => can(mask, 'manage_integrations'));
  expect(allowed).toEqual(masks.filter((mask) => (mask & 6) !== 0));
});

test('each role has the permissions of its mask', () => {
  const allowed = Object.fromEntries(
    Object.entries(roles).map(([role, mask]) => [
      role,
      (['run_tasks', 'update_project', 'manage_resources', 'manage_users'] as const).filter(
        (permission) => can(mask, permission),
      ),
    ]),
  );
  expect(allowed).toEqual({
    owner: ['run_tasks', 'update_project', 'manage_resources', 'manage_users'],
    manager: ['run_tasks', 'manage_resources'],
    task_runner: ['run_tasks'],
    guest: [],
  });
});

interface Asked {
  status: number;
  code: string | undefined;
}

/** Sends a request without a body that could be right, so that nothing is changed by it. */
async function knock(caller: Caller, method: Method, url: string): Promise<Asked> {
  const answer = await caller.raw({ method, url, payload: ['not a body'] });
  const isError = answer.statusCode >= 400;
  return {
    status: answer.statusCode,
    code: isError ? answer.json<{ code: string }>().code : undefined,
  };
}

describe('what is asked for is what is checked', () => {
  test('nobody reaches anything that is not public', async () => {
    const app = await testApp();
    for (const { name, endpoint } of endpoints) {
      const url = endpoint.path.replace(/:\w+/g, '1');
      const { status, code } = await knock(app.nobody, endpoint.method, url);
      const isRefused = permissions[name] !== 'public';
      const refusal = permissions[name] === 'runner' ? 'runner.credential' : 'session.required';
      const seen = [name, status === 401, code === refusal];
      expect(seen).toEqual([name, isRefused, isRefused]);
    }
  });

  test('nobody learns from a refusal whether the address was right', async () => {
    const app = await testApp();
    const { status } = await knock(app.nobody, 'GET', '/api/project/none/keys');
    expect(status).toBe(401);
  });

  test('every endpoint of a project opens to exactly the roles that may', async () => {
    const app = await testApp();
    const ids = await everyId(app, app.admin);
    const projectId = Number(ids['project_id']);
    const stranger = await app.user('stranger');
    const other = await seedProject(await app.user('other-admin', { admin: true }), null);
    await app.ctx.db
      .insertInto('members')
      .values({ project_id: other.projectId, user_id: stranger.userId, role: 'owner' })
      .execute();
    const callers: [who: string, caller: Caller, mask: number | null][] = [
      ['guest', await app.member(projectId, 'guest'), 0],
      ['task_runner', await app.member(projectId, 'task_runner'), 1],
      ['manager', await app.member(projectId, 'manager'), 5],
      ['owner', await app.member(projectId, 'owner'), 15],
      ['administrator', await app.user('outside', { admin: true }), 15],
      ['owner of another project', stranger, null],
    ];
    const inside = endpoints.filter(({ endpoint }) => endpoint.path.includes(':project_id'));
    const seen: string[] = [];
    const wanted: string[] = [];
    for (const { name, endpoint } of inside) {
      const url = pathOf(endpoint, { params: ids });
      const permission = permissions[name] ?? 'public';
      for (const [who, caller, mask] of callers) {
        const mayPass =
          !isProjectPermission(permission) || (mask !== null && can(mask, permission));
        const isAllowed = mask !== null && mayPass;
        const { status, code } = await knock(caller, endpoint.method, url);
        const refused = mask === null ? '404 project.not_found' : '403 permission.denied';
        const isRefused = [401, 403, 404].includes(status);
        wanted.push(`${name} by ${who}: ${isAllowed ? 'open' : refused}`);
        seen.push(`${name} by ${who}: ${isRefused ? `${status} ${code}` : 'open'}`);
      }
    }
    expect(seen).toEqual(wanted);
    expect(seen.length).toBeGreaterThan(150);
  });

  test('a member who is removed is outside at once', async () => {
    const app = await testApp();
    const seed = await seedProject(app.admin, null);
    const owner = await app.member(seed.projectId, 'owner');
    const params = { project_id: seed.projectId };
    expect((await owner.ask(projects.one, { params })).status).toBe(200);
    await app.ctx.db.deleteFrom('members').where('user_id', '=', owner.userId).execute();
    expect((await owner.ask(projects.one, { params })).status).toBe(404);
  });
});
