// A project with one of each thing that a body can name, and bodies that name them.

import { alertChannels } from '#shared/api/alert-channels.ts';
import { environments } from '#shared/api/environments.ts';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { hostConfigs } from '#shared/api/host-configs.ts';
import { integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import type { TestApp } from './app.ts';
import type { Body } from './resources.ts';
import { seedProject } from './seed.ts';

/** Makes one of each thing; answers their ids. */
export async function everything(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const other = await app.admin.call(keys.create, { params, body: { name: 'Key', type: 'none' } });
  const view = await app.admin.call(views.create, { params, body: { title: 'View' } });
  const secret = { type: 'env', name: 'TOKEN', secret: 'x', operation: 'create' } as const;
  const environment = await app.admin.call(environments.create, {
    params,
    body: { name: 'Secrets', secrets: [secret] },
  });
  const further = await app.admin.call(environments.create, { params, body: { name: 'More' } });
  const build = await seed.template({ type: 'build', start_version: '1' });
  const deploy = await seed.template({
    type: 'deploy',
    build_template_id: build.id,
    view_id: view.id,
    vault_key_id: other.id,
    allow_override_inventory_in_task: true,
    allow_override_execution_environment_in_task: true,
  });
  const body = { template_id: build.id };
  const task = await app.admin.call(tasks.start, { params, body });
  await app.ctx.db
    .updateTable('tasks')
    .set({ status: 'success' })
    .where('id', '=', task.id)
    .execute();
  const login_password = { login: 'hook', password: 'x' };
  const login = await app.admin.call(keys.create, {
    params,
    body: { name: 'Login', type: 'login_password', login_password },
  });
  const hostConfig = await app.admin.call(hostConfigs.create, {
    params,
    body: { type: 'url', host: 'https://code.example.org/', ssh_key_id: login.id },
  });
  const execution = await app.admin.call(executionEnvironments.create, {
    params,
    body: { name: 'Image', kind: 'container', image: 'tools:1', registry_key_id: login.id },
  });
  const integration = { params, body: { name: 'Integration' } };
  const schedule = await app.admin.call(schedules.create, {
    params,
    body: { template_id: build.id, cron_format: '@daily' },
  });
  const channel = await app.admin.call(alertChannels.create, {
    params,
    body: {
      name: 'Alerts',
      type: 'webhook',
      address: 'https://example.com/hook',
      template_ids: [build.id],
    },
  });
  const wait = { type: 'wait' as const, key: 'a', name: 'A', seconds: 1 };
  const workflow = { params, body: { name: 'Workflow', graph: { nodes: [wait] } } };
  return {
    params,
    workflow: (await app.admin.call(workflows.create, workflow)).id,
    nested: (
      await app.admin.call(workflows.create, {
        ...workflow,
        body: { ...workflow.body, name: 'Nested' },
      })
    ).id,
    login: login.id,
    integration: (await app.admin.call(integrations.create, integration)).id,
    schedule: schedule.id,
    hostConfig: hostConfig.id,
    execution: execution.id,
    key: other.id,
    repository: seed.repositoryId,
    inventory: seed.inventoryId,
    environment: environment.id,
    further: further.id,
    secret: environment.secrets?.[0]?.id ?? 0,
    view: view.id,
    build: build.id,
    deploy: deploy.id,
    task: task.id,
    channel: channel.id,
  };
}
export type Ids = Awaited<ReturnType<typeof everything>>;
export type Named = Exclude<keyof Ids, 'params'>;

/** Accepted bodies with all the ids that they can name. */
export const bodies: Record<string, (ids: Ids) => Body> = {
  repositories: ({ key, login }) => ({
    name: 'New',
    git_url: 'https://example.com/team/new.git',
    git_branch: 'main',
    ssh_key_id: key,
    status_host: 'github',
    status_key_id: login,
  }),
  hostConfigs: ({ login }) => ({
    type: 'url',
    host: 'https://git.example.org/',
    ssh_key_id: login,
  }),
  executionEnvironments: ({ login }) => ({
    name: 'New',
    kind: 'container',
    image: 'tools:2',
    registry_key_id: login,
  }),
  projects: ({ execution }) => ({ name: 'New', execution_environment_id: execution }),
  inventories: ({ key, repository }) => ({
    name: 'New',
    type: 'file',
    inventory: 'hosts',
    ssh_key_id: key,
    become_key_id: key,
    repository_id: repository,
  }),
  environments: ({ secret }) => ({
    name: 'New',
    secrets: [{ id: secret, type: 'env', name: 'OTHER', secret: 'y', operation: 'update' }],
  }),
  views: ({ view }) => ({ [view]: 5 }),
  templates: (ids) => ({
    name: 'New',
    playbook: 'play.yml',
    type: 'deploy',
    inventory_id: ids.inventory,
    repository_id: ids.repository,
    environment_id: ids.environment,
    environment_ids: [ids.environment, ids.further],
    view_id: ids.view,
    execution_environment_id: ids.execution,
    build_template_id: ids.build,
    vault_key_id: ids.key,
    vaults: [
      { vault_key_id: ids.key, name: 'one' },
      { vault_key_id: ids.key, name: 'two' },
    ],
  }),
  workflows: ({ view, build, deploy, inventory, execution, nested }) => ({
    name: 'New',
    view_id: view,
    graph: {
      nodes: [
        {
          type: 'template',
          key: 'a',
          name: 'A',
          template_id: deploy,
          build_node: 'b',
          params: { inventory_id: inventory, execution_environment_id: execution },
        },
        { type: 'template', key: 'b', name: 'B', template_id: build },
        { type: 'workflow', key: 'c', name: 'C', workflow_id: nested },
      ],
      edges: [{ from: 'b', to: 'a' }],
    },
  }),
  integrations: ({ build, login, inventory, execution }) => ({
    name: 'New',
    template_id: build,
    auth_secret_id: login,
    task_params: { inventory_id: inventory, execution_environment_id: execution },
  }),
  schedules: ({ deploy, repository, inventory, execution }) => ({
    name: 'New',
    template_id: deploy,
    cron_format: '@daily',
    repository_id: repository,
    task_params: { inventory_id: inventory, execution_environment_id: execution },
  }),
  alertChannels: ({ build, deploy, workflow }) => ({
    name: 'New',
    type: 'webhook',
    address: 'https://example.com/hook',
    template_ids: [build, deploy],
    workflow_ids: [workflow],
  }),
  tasks: ({ deploy, inventory, execution, task }) => ({
    template_id: deploy,
    execution_environment_id: execution,
    inventory_id: inventory,
    build_task_id: task,
  }),
};
