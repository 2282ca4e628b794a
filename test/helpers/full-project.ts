// Makes a project with everything that a project can have, each field with an unusual value.

import * as fc from 'fast-check';
import type { CallOf } from '#shared/api/endpoint.ts';
import { environments } from '#shared/api/environments.ts';
import {
  executionEnvironments,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { aliases, integrations } from '#shared/api/integrations.ts';
import { hostConfigs } from '#shared/api/host-configs.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { extractValues, matchers } from '#shared/api/matchers.ts';
import { projects } from '#shared/api/projects.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules } from '#shared/api/schedules.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { addFullWorkflows } from './full-workflows.ts';
import { addChannel } from './alerts.ts';
import { anyTemplate } from './any-template.ts';
import type { Caller } from './app.ts';
import { aliasOf } from './integrations.ts';
import { fixedSeed } from './random.ts';
import { sshKeygen } from './private-keys.ts';

/** Secrets that must never leave the server. */
export const secrets = ['canary-password', 'PRIVATE KEY-----', 'canary-value', 'canary-token'];

type Params = { project_id: number };

async function makeKeys(caller: Caller, params: Params) {
  const login_password = { login: 'somebody', password: 'canary-password' };
  const passphrase = 'canary-password';
  const ssh = { login: 'root', passphrase, private_key: await sshKeygen({ passphrase }) };
  const bodies = [
    { name: 'A login', type: 'login_password' as const, login_password },
    { name: 'An ssh key', type: 'ssh' as const, ssh },
    { name: 'No key', type: 'none' as const },
  ];
  const ids: number[] = [];
  for (const body of bodies) ids.push((await caller.call(keys.create, { params, body })).id);
  const [login = 0, key = 0, none = 0] = ids;
  return { login, key, none };
}

async function makeResources(caller: Caller, params: Params) {
  const { login, key, none } = await makeKeys(caller, params);
  const code = { git_url: 'ssh://git@example.com/code.git', git_branch: 'trunk' };
  const repository = await caller.call(repositories.create, {
    params,
    body: { name: 'Code', ...code, ssh_key_id: key },
  });
  for (const [type, host, ssh_key_id] of [
    ['host', 'git.example.org:2222', key],
    ['url', 'https://git.example.org/team/', login],
  ] as const) {
    await caller.call(hostConfigs.create, { params, body: { type, host, ssh_key_id } });
  }
  const chosen = await makeExecutionEnvironments(caller, params, login);
  const hosts = await caller.call(repositories.create, {
    params,
    body: {
      name: 'Hosts',
      git_url: 'https://example.com/h.git',
      git_branch: 'b',
      ssh_key_id: none,
      with_submodules: false,
    },
  });
  const inventory = await caller.call(inventories.create, {
    params,
    body: {
      name: 'From a file',
      type: 'file',
      inventory: 'hosts/all',
      ssh_key_id: key,
      become_key_id: login,
      repository_id: hosts.id,
    },
  });
  await caller.call(inventories.create, {
    params,
    body: { name: 'Workspace', type: 'terraform-workspace', inventory: 'blue' },
  });
  const environment = await caller.call(environments.create, {
    params,
    body: {
      name: 'Variables',
      json: '{"a": [1, {"b": null}]}',
      env: '{"C": "d"}',
      secrets: [
        { operation: 'create', type: 'var', name: 'token', secret: 'canary-value' },
        { operation: 'create', type: 'env', name: 'API_KEY', secret: 'canary-value' },
      ],
    },
  });
  const further = await caller.call(environments.create, { params, body: { name: 'More' } });
  const made: number[] = [];
  for (const title of ['First', 'Second', 'A third']) {
    made.push((await caller.call(views.create, { params, body: { title } })).id);
  }
  const [first = 0, second = 0, third = 0] = made;
  const body = { [first]: 7, [second]: 1, [third]: 3 };
  await caller.call(views.place, { params, body });
  return {
    keys: [login, none],
    login,
    repository: repository.id,
    inventory: inventory.id,
    environment: environment.id,
    further: [further.id],
    view: second,
    ...chosen,
  };
}

/** Returns the ids of those that others choose: of the project and of the installation. */
async function makeExecutionEnvironments(caller: Caller, params: Params, registry_key_id: number) {
  const image = { kind: 'container', image: 'registry.example.com/tools:1.4' } as const;
  const limits = { memory_limit_mib: 512, cpu_limit_percent: 150, process_limit: 99 };
  const mounts = [{ source: '/etc/pki', target: '/pki', read_only: false }];
  const bodies: CallOf<typeof executionEnvironments.create>['body'][] = [
    { name: 'Image', ...image, registry_key_id, pull: 'always', user: '1000:1', mounts, ...limits },
    { name: 'As the runner', kind: 'server', description: 'What the runner has' },
    { name: 'Tools', kind: 'tools', packages: ['ansible-core==2.19.*'], python: '3.12' },
    { name: 'Folder', kind: 'tools', folder: '/opt/ansible' },
    {
      name: 'Pod',
      kind: 'pod',
      image: image.image,
      memory_request_mib: 256,
      cpu_request_percent: 50,
      node_labels: ['disk=ssd'],
      tolerations: ['gpu=true:NoSchedule'],
      service_account: 'deployer',
      pod_labels: ['team=web'],
      pull_secrets: ['registry'],
    },
  ];
  const ids: number[] = [];
  for (const body of bodies) {
    ids.push((await caller.call(executionEnvironments.create, { params, body })).id);
  }
  const shared = { name: `Of all ${params.project_id}`, kind: 'server' as const };
  const { id } = await caller.call(installationEnvironments.create, { body: shared });
  return { execution: ids[0] ?? 0, shared: id };
}

async function makeTemplates(
  caller: Caller,
  params: Params,
  ids: Awaited<ReturnType<typeof makeResources>>,
) {
  const create = (body: object) =>
    caller.call(templates.create, { params, body: body as never }).then(({ id }) => id);
  const build = await create({
    name: 'Z build',
    type: 'build',
    start_version: '3.1',
    playbook: 'build.yml',
    repository_id: ids.repository,
    inventory_id: ids.inventory,
    environment_id: ids.environment,
  });
  // The samples are the same in every run.
  const samples = fc.sample(anyTemplate({ ...ids, build }), { numRuns: 40, seed: fixedSeed });
  const made: number[] = [];
  for (const [index, sample] of samples.entries()) {
    made.push(await create({ ...sample, name: `Template ${index}` }));
  }
  const infra = { app: 'terraform', playbook: 'infra', auto_approve: true };
  made.push(await create({ ...infra, name: 'Infrastructure', repository_id: ids.repository }));
  const deploy = { type: 'deploy', build_template_id: build, app: 'bash', playbook: 'd.sh' };
  const first = await create({
    ...deploy,
    name: 'Deploy',
    repository_id: ids.repository,
    execution_environment_id: ids.shared,
  });
  await create({
    ...deploy,
    name: 'A deploy of a deploy',
    build_template_id: first,
    repository_id: ids.repository,
  });
  return [build, first, ...made];
}

/** Makes integrations with everything that one can have; returns the aliases of their addresses. */
async function makeIntegrations(
  caller: Caller,
  params: Params,
  ids: Record<'login' | 'inventory' | 'template' | 'workflow_id' | 'execution', number>,
): Promise<string[]> {
  const whole = await caller.call(integrations.create, {
    params,
    body: {
      name: 'Push',
      template_id: ids.template,
      auth_method: 'hmac',
      auth_header: 'X-Ours',
      auth_secret_id: ids.login,
      searchable: true,
      task_params: {
        message: 'Why',
        debug: true,
        dry_run: true,
        diff: true,
        arguments: '["-v"]',
        git_branch: 'other',
        limit: 'web',
        tags: 'fast',
        skip_tags: 'slow',
        inventory_id: ids.inventory,
        execution_environment_id: ids.execution,
      },
    },
  });
  const { workflow_id } = ids;
  await caller.call(integrations.create, { params, body: { name: 'Bare' } });
  await caller.call(integrations.create, { params, body: { name: 'Release', workflow_id } });
  const of = { ...params, integration_id: whole.id };
  const value = { name: 'Ref', value_source: 'body', body_data_type: 'json' } as const;
  const header = { name: 'Event', value_source: 'header', key: 'X-Event' } as const;
  for (const body of [
    { ...value, key: 'deep[0].ref', variable: 'ref' },
    { ...header, variable: 'event' },
  ]) {
    await caller.call(extractValues.create, { params: of, body });
  }
  const body = {
    name: 'Main',
    match_type: 'body',
    body_data_type: 'string',
    key: 'x',
    method: 'unequals',
    value: 'nothing',
  } as const;
  await caller.call(matchers.create, { params: of, body });
  const own = [
    await caller.call(aliases.create, { params: of }),
    await caller.call(aliases.create, { params: of }),
    await caller.call(aliases.addToProject, { params }),
  ];
  return own.map(aliasOf);
}

interface FullProject {
  projectId: number;
  params: Params;
  aliases: string[];
}

export async function fullProject(caller: Caller, name = 'Everything'): Promise<FullProject> {
  const { id: projectId } = await caller.call(projects.create, {
    body: {
      name,
      alert: true,
      alert_chat: '-100',
      max_parallel_tasks: 3,
      runner_tags: ['dmz'],
      keep_home: true,
      host_facts: ['kernel'],
    },
  });
  const params = { project_id: projectId };
  const ids = await makeResources(caller, params);
  const before = await caller.call(projects.one, { params });
  const chosen = { ...before, execution_environment_id: ids.execution };
  await caller.call(projects.update, { params, body: chosen });
  const [template = 0, deploy = 0, ...others] = await makeTemplates(caller, params, ids);
  const schedule = {
    template_id: template,
    cron_format: '@daily',
    time_zone: 'Europe/Berlin',
    active: true,
  };
  const workflow_id = await addFullWorkflows(caller, params, { ...ids, build: template, deploy });
  for (const body of [
    { ...schedule, name: 'Release', template_id: null, workflow_id },
    { ...schedule, name: 'At night', missed: 'run', active: false } as const,
    {
      ...schedule,
      cron_format: '*/5 3 * * 1-5',
      repository_id: ids.repository,
      task_params: { message: 'After new commits' },
    },
    { ...schedule, template_id: deploy, time_zone: 'UTC' },
    {
      ...schedule,
      name: 'Once',
      type: 'run_at',
      cron_format: '',
      run_at: '2127-06-25T02:00:00Z',
      delete_after_run: true,
    } as const,
  ]) {
    await caller.call(schedules.create, { params, body });
  }
  const parts = await makeIntegrations(caller, params, { ...ids, template, workflow_id });
  await addChannel(caller, projectId, {
    name: 'Chat',
    type: 'gotify',
    address: 'https://chat.example.com/canary-token',
    secret: 'canary-token',
    active: false,
    events: ['succeeded', 'stopped'],
    template_ids: [template, ...others.slice(0, 2)],
    workflow_ids: [workflow_id],
  });
  await addChannel(caller, projectId, { name: 'All', secret: 'canary-token' });
  return { projectId, params, aliases: parts };
}
