// Valid bodies of requests.

import { endpoints, mergeOf } from '#shared/api/index.ts';
import { integrationSamples } from './integrations.ts';
import { runnerSamples } from './runner-caller.ts';

export type Body = Record<string, unknown>;

/** An accepted body for each endpoint that takes one. */
export function samples(ids: Record<string, number | string>): Record<string, Body> {
  const environment = {
    name: 'Variables',
    json: '{"a": 1}',
    env: '{"B": "c"}',
    secrets: [{ type: 'env', name: 'TOKEN', secret: 'x', operation: 'create' }],
  };
  const app = {
    title: 'Tool',
    active: true,
    priority: 1,
    icon: 'cog',
    color: '#112233',
    dark_color: '#ddeeff',
    path: '/usr/bin/env',
    args: ['-i'],
  };
  const key = {
    name: 'Key',
    type: 'login_password',
    login_password: { login: 'a', password: 'b' },
    ssh: { login: '', passphrase: '', private_key: '' },
    override_secret: true,
  };
  const repository = {
    name: 'Code',
    git_url: 'ssh://git@example.com/code.git',
    git_branch: 'main',
    ssh_key_id: ids['key_id'],
  };
  const hostConfig = {
    type: 'url',
    host: 'https://git.example.org/team/',
    ssh_key_id: ids['login_key_id'],
  };
  const role = { name: 'Readers', description: 'They read', rights: ['inventory.read'] };
  const executionEnvironment = {
    name: 'Image',
    kind: 'container',
    image: 'registry.example.com/team/tools:1.4',
    registry_key_id: ids['login_key_id'],
    mounts: [{ source: '/etc/pki', target: '/etc/pki' }],
    network: 'host',
    node_labels: ['disk=ssd'],
    tolerations: ['gpu=true:NoSchedule'],
  };
  const inventory = {
    name: 'Hosts',
    type: 'static',
    inventory: 'localhost',
    ssh_key_id: ids['key_id'],
    become_key_id: null,
    repository_id: ids['repository_id'],
  };
  const template = {
    name: 'Template',
    description: 'What it does',
    runner_tags: ['dmz'],
    app: 'ansible',
    type: '',
    playbook: 'play.yml',
    inventory_id: ids['inventory_id'],
    repository_id: ids['repository_id'],
    environment_id: ids['environment_id'],
    view_id: null,
    git_branch: 'main',
    arguments: '["-v"]',
    limit: 'web',
    tags: 'fast',
    skip_tags: '',
    survey_vars: [
      { name: 'one', title: 'One', type: 'enum', values: [{ name: 'A', value: 'a' }] },
      { name: 'two', title: 'Two', type: 'int', required: false },
    ],
    vault_key_id: null,
    vaults: [{ vault_key_id: ids['key_id'], name: 'dev' }],
    allow_override_limit_in_task: true,
  };
  const task = {
    template_id: ids['template_id'],
    message: 'Why',
    environment: '{"one": "a", "two": 2}',
    secret: '{}',
    debug: true,
    dry_run: true,
    diff: true,
    playbook: 'play.yml',
    arguments: '["-v"]',
    git_branch: 'other',
    limit: 'all',
    tags: 'all',
    skip_tags: 'none',
    inventory_id: ids['inventory_id'],
    commit_hash: 'a'.repeat(40),
  };
  const schedule = {
    template_id: ids['template_id'],
    name: 'At night',
    cron_format: '30 3 * * 1-5',
    time_zone: 'Europe/Berlin',
    active: true,
    repository_id: ids['repository_id'],
    missed: 'run',
  };
  const user = {
    username: 'somebody',
    name: 'Somebody',
    email: 'somebody@example.com',
    password: 'a long password',
    admin: false,
    alert: true,
  };
  const groupRule = {
    source: 'any',
    claim: 'groups',
    pattern: 'ops-*',
    project_id: ids['project_id'],
    role: 'manager',
    administrator: false,
  };
  // The server refuses this address before it connects.
  const channel = {
    name: 'Chat',
    type: 'webhook',
    active: true,
    events: ['failed', 'succeeded'],
    template_ids: [ids['template_id']],
    workflow_ids: [ids['workflow_id']],
    addresses: [],
    chat: '',
    address: 'http://127.0.0.1:9/hook',
    secret: 'secret',
    override_secret: true,
  };
  const backup = {
    format: 'signalbox',
    version: 1,
    meta: { name: 'Restored', alert: true },
    keys: [{ name: 'Key', type: 'ssh' }],
    environments: [{ name: 'Variables', json: '{}', secrets: [{ type: 'var', name: 'token' }] }],
    repositories: [{ ...repository, ssh_key_id: undefined, ssh_key: 'Key' }],
    host_configs: [{ type: 'host', host: 'git.example.org', ssh_key: 'Key' }],
    views: [{ title: 'View', position: 1 }],
    integration_aliases: ['0123456789abcdef'],
  };
  const workflow = {
    name: 'Workflow',
    description: 'What it does',
    view_id: null,
    graph: {
      nodes: [
        {
          type: 'template',
          key: 'one',
          name: 'One',
          template_id: ids['template_id'],
          params: { message: 'From a workflow' },
          inputs: [{ name: 'release', node: 'two', output: 'version' }],
          position: { x: 1, y: 2 },
        },
        {
          type: 'approval',
          key: 'two',
          name: 'Two',
          question: 'Go on?',
          roles: ['owner'],
          fields: [{ name: 'version', title: 'Version' }],
        },
        { type: 'wait', key: 'three', name: 'Three', seconds: 5 },
      ],
      edges: [{ from: 'two', to: 'one', when: 'always' }],
    },
  };
  const bodies: Record<string, Body> = {
    'alertChannels.create': channel,
    'alertChannels.update': channel,
    'users.create': user,
    'users.update': user,
    'users.setOption': { key: 'list.columns', value: 'name,state' },
    'users.password': { password: 'a long password', old_password: 'an old one' },
    'members.create': { user_id: ids['user_id'], role: 'manager' },
    'members.update': { role: 'task_runner' },
    'session.signIn': { auth: 'root', password: 'a guess', code: '123456' },
    'session.verify': { passcode: '123456' },
    'session.recover': { recovery_code: 'a guess' },
    'secondFactor.confirm': { code: '123456', password: 'a guess' },
    'secondFactor.remove': { password: 'a guess' },
    'secondFactor.renewCodes': { password: 'a guess' },
    'tokens.create': { name: 'CI', scope: 'run', project_id: null, expires: null },
    'projects.create': {
      name: 'Project',
      alert: true,
      alert_chat: '1',
      max_parallel_tasks: 1,
      runner_tags: ['dmz'],
    },
    'projects.update': { name: 'Project', alert: true, alert_chat: null, max_parallel_tasks: 0 },
    'apps.create': app,
    'apps.update': app,
    'apps.switch': { active: true },
    'keys.create': key,
    'keys.update': key,
    'hostConfigs.create': hostConfig,
    'hostConfigs.update': hostConfig,
    'grants.create': {
      user_id: ids['user_id'],
      object_type: 'template',
      object_id: ids['template_id'],
      role: 'task_runner',
    },
    'grants.update': { role: 'task_runner' },
    'restrictions.set': {
      object_type: 'template',
      object_id: ids['template_id'],
      mode: 'named',
    },
    'projectRoles.create': role,
    'projectRoles.update': role,
    'installationRoles.create': { ...role, name: 'Readers everywhere' },
    'installationRoles.update': { ...role, name: 'Readers everywhere' },
    'executionEnvironments.create': executionEnvironment,
    'executionEnvironments.update': executionEnvironment,
    'installationEnvironments.create': { ...executionEnvironment, registry_key_id: null },
    'installationEnvironments.update': { ...executionEnvironment, registry_key_id: null },
    'repositories.create': repository,
    'repositories.update': repository,
    'repositories.branches': { git_url: '/nowhere', ssh_key_id: ids['key_id'] },
    'inventories.create': inventory,
    'inventories.update': inventory,
    'inventories.preview': { type: 'static', inventory: 'localhost' },
    'environments.create': environment,
    'environments.update': environment,
    'views.create': { title: 'View', position: 1 },
    'views.update': { title: 'View', position: 1 },
    'views.place': { [String(ids['view_id'])]: 2 },
    ...integrationSamples(ids),
    'workflows.create': workflow,
    'workflows.update': workflow,
    'workflows.launch': { message: 'By hand' },
    'workflowRuns.decide': { approve: true, comment: '', answers: '{}', secret: '{}' },
    'workflowRuns.stop': { force: true },
    'workflowRuns.runAgain': { nodes: ['ask'] },
    'templates.create': template,
    'templates.update': template,
    'templates.bulk': {
      action: 'change',
      ids: [ids['template_id']],
      values: { git_branch: 'main' },
    },
    'tasks.bulk': { action: 'stop', ids: [ids['task_id']] },
    'templates.bulkRun': { ids: [ids['template_id']] },
    'schedules.create': schedule,
    'schedules.update': schedule,
    'schedules.switch': { active: false },
    'schedules.bulk': { action: 'pause', ids: [ids['schedule_id']] },
    'schedules.validate': { cron_format: '@weekly', time_zone: 'UTC', count: 3 },
    'backups.restore': backup,
    'keptStates.take': {
      is: 'copy',
      name: '1-task-1.default.tfstate',
      workspace: 'default',
      runner_id: 1,
    },
    'tasks.start': task,
    'tasks.runAgain': { hosts: ['web1'] },
    'tasks.stop': { force: true },
    'identity.try': { source: 'any', claims: { groups: ['ops'] } },
    ...runnerSamples,
    'groupRules.create': groupRule,
    'groupRules.update': groupRule,
    'groupRules.place': { ids: [ids['rule_id']] },
    'options.set': { key: 'tools.colour', value: 'green' },
  };
  for (const { name, noun, endpoint } of endpoints) {
    const put = mergeOf(endpoint) && bodies[name];
    if (put) bodies[`${noun}.patch`] = put;
  }
  return bodies;
}
