// Who may call which endpoint. A changed permission must be changed in this table too.

import { expect, test } from 'vitest';
import { endpoints, mergeOf } from '#shared/api/index.ts';
import { can, roles, type Requirement } from '#shared/permissions.ts';

const permissions: Record<string, Requirement> = {
  'system.ping': 'public',
  'system.health': 'public',
  'system.figures': 'admin',
  'system.info': 'user',
  'system.openapi': 'public',

  'session.ways': 'public',
  'session.signIn': 'public',
  'session.verify': 'public',
  'session.recover': 'public',
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
  'users.options': 'user',
  'users.setOption': 'user',
  'users.create': 'admin',
  'users.one': 'user',
  'users.update': 'user',
  'users.remove': 'admin',
  'users.refs': 'admin',
  'users.password': 'user',
  'users.removeSecondFactor': 'admin',

  'projects.list': 'user',
  'projects.create': 'create_project',
  'projects.one': 'member',
  'projects.update': 'update_project',
  'projects.remove': 'update_project',
  'projects.role': 'member',
  'projects.roles': 'member',

  'apps.list': 'user',
  'apps.one': 'admin',
  'apps.update': 'admin',
  'apps.create': 'admin',
  'apps.switch': 'admin',
  'apps.refs': 'admin',
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

  'hostConfigs.list': 'member',
  'hostConfigs.create': 'manage_resources',
  'hostConfigs.one': 'member',
  'hostConfigs.update': 'manage_resources',
  'hostConfigs.remove': 'manage_resources',

  'repositories.list': 'member',
  'repositories.create': 'manage_resources',
  'repositories.branches': 'manage_resources',
  'repositories.one': 'member',
  'repositories.update': 'manage_resources',
  'repositories.refs': 'member',
  'repositories.branchesOf': 'run_tasks',
  'repositories.files': 'manage_resources',
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
  'workflows.list': 'member',
  'workflows.create': 'manage_resources',
  'workflows.one': 'member',
  'workflows.update': 'manage_resources',
  'workflows.patch': 'manage_resources',
  'workflows.refs': 'member',
  'workflows.remove': 'manage_resources',
  'workflows.launch': 'run_tasks',
  'workflowRuns.list': 'member',
  'workflowRuns.one': 'member',
  'workflowRuns.decisions': 'member',
  // The approval itself says who may.
  'workflowRuns.decide': 'member',
  'workflowRuns.stop': 'run_tasks',
  'workflowRuns.runAgain': 'run_tasks',
  'workflowRuns.remove': 'manage_resources',

  'templates.list': 'member',
  'templates.ofView': 'member',
  'templates.create': 'manage_resources',
  'templates.one': 'member',
  'templates.update': 'manage_resources',
  'templates.refs': 'member',
  'templates.remove': 'manage_resources',
  'templates.bulk': 'manage_resources',
  'templates.bulkRun': 'run_tasks',
  'keptStates.ofProject': 'update_project',
  'keptStates.list': 'manage_resources',
  'keptStates.take': 'manage_resources',

  'schedules.list': 'member',
  'schedules.ofTemplate': 'member',
  'schedules.create': 'manage_resources',
  'schedules.validate': 'manage_resources',
  'schedules.one': 'member',
  'schedules.update': 'manage_resources',
  'schedules.switch': 'manage_resources',
  'schedules.bulk': 'manage_resources',
  'schedules.refs': 'member',
  'schedules.fires': 'member',
  'schedules.remove': 'manage_resources',

  'hosts.list': 'member',
  'hosts.one': 'member',
  'hosts.facts': 'member',
  'hosts.tasks': 'member',

  'tasks.list': 'member',
  'tasks.count': 'member',
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
  'tasks.hostTable': 'member',
  'tasks.changes': 'member',
  'tasks.outputs': 'member',
  'tasks.plan': 'member',
  'tasks.playTasks': 'member',
  'tasks.results': 'member',
  'tasks.failures': 'member',
  'taskResults.stages': 'member',
  'taskResults.hosts': 'member',
  'taskResults.errors': 'member',
  'tasks.remove': 'manage_resources',
  'tasks.stopAll': 'run_tasks',
  'tasks.confirm': 'run_tasks',
  'tasks.reject': 'run_tasks',
  'tasks.restart': 'run_tasks',
  'tasks.runAgain': 'run_tasks',
  'tasks.stop': 'run_tasks',

  'activeTasks.list': 'admin',
  'activeTasks.one': 'admin',
  'activeTasks.stop': 'admin',

  'stats.ofTemplate': 'member',
  'stats.ofProject': 'member',
  'overview.tasks': 'user',
  'overview.search': 'user',
  'overview.pins': 'user',
  'overview.pin': 'member',
  'overview.unpin': 'member',

  'integrations.list': 'member',
  'integrations.create': 'manage_integrations',
  'integrations.one': 'member',
  'integrations.update': 'manage_integrations',
  'integrations.refs': 'member',
  'integrations.remove': 'manage_integrations',

  'aliases.ofProject': 'member',
  'aliases.addToProject': 'manage_integrations',
  'aliases.removeFromProject': 'manage_integrations',
  'aliases.list': 'member',
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
  'alertChannels.testAll': 'update_project',

  'alertDeliveries.list': 'update_project',
  'alertDeliveries.ofChannel': 'update_project',
  'alertDeliveries.retry': 'update_project',

  'options.list': 'admin',
  'options.set': 'admin',

  'runners.list': 'admin',
  'runners.create': 'admin',
  'runners.renewToken': 'admin',
  'runnerApi.register': 'public',
  'runnerApi.poll': 'runner',
  'runnerApi.filterExisting': 'runner',
  'runnerApi.reportInspection': 'runner',
  'runnerApi.secrets': 'runner',
  'runnerApi.report': 'runner',
  'runnerApi.log': 'runner',
  'runners.update': 'admin',
  'runners.remove': 'admin',
  'runners.one': 'admin',
  'runners.refs': 'admin',
  'runners.tags': 'admin',
  'runners.registrationToken': 'admin',
  'runners.clearCache': 'admin',
  'runners.switch': 'admin',

  'projectRunners.list': 'member',
  'projectRunners.tags': 'member',
  'projectRunners.one': 'member',
  'projectRunners.refs': 'member',
  'projectRunners.create': 'update_project',
  'projectRunners.renewToken': 'update_project',
  'projectRunners.registrationToken': 'update_project',
  'projectRunners.clearCache': 'update_project',
  'projectRunners.update': 'update_project',
  'projectRunners.switch': 'update_project',
  'projectRunners.remove': 'update_project',

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

// People who may replace a resource may also change a part of it.
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
