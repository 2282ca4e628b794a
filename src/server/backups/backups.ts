// Backs up a project: reads all of its resources in one snapshot, and replaces ids by names.

import { listChannels } from '../alerts/alert-channels/alert-channels.ts';
import type { Backup } from '#shared/api/backups.ts';
import type { Integration } from '#shared/api/integrations.ts';
import type { Inventory } from '#shared/api/inventories.ts';
import type { Repository } from '#shared/api/repositories.ts';
import type { Context } from '../context/context.ts';
import { listEnvironments, getEnvironment } from '../resources/environments/environments.ts';
import { record } from '../events/events.ts';
import { revealAliases } from '../automation/integrations/aliases.ts';
import { listIntegrations } from '../automation/integrations/integrations.ts';
import { matchers, values } from '../automation/integrations/rules.ts';
import { listExecutionEnvironments } from '../resources/execution-environments/execution-environments.ts';
import { listHostConfigs } from '../resources/host-configs/host-configs.ts';
import { listInventories } from '../resources/inventories/inventories.ts';
import { listRestrictions } from '../people/grants/restrictions.ts';
import { listOwnRoles } from '../people/roles/roles.ts';
import { listMembers } from '../people/members/members.ts';
import { listKeys } from '../resources/keys/keys.ts';
import { requireProject } from '../projects/projects.ts';
import { listRepositories } from '../resources/repositories/repositories.ts';
import { getSchedules } from '../automation/schedules/schedules.ts';
import { allTemplates, type PlainTemplate } from '../automation/templates/templates.ts';
import {
  listWorkflows,
  type PlainWorkflow,
} from '../automation/workflows/definitions/workflows.ts';
import { inTransaction } from '../context/transaction.ts';
import { listViews } from '../automation/views/views.ts';
import {
  compare,
  namedParams,
  nameNodes,
  naming,
  namingChoice,
  sorted,
  type ChoiceNaming,
  type Named,
  type Naming,
  type ParamsNaming,
} from './naming.ts';

export function backUpProject(ctx: Context, projectId: number): Promise<Backup> {
  const work = async (inner: Context): Promise<Backup> => {
    const { name } = await requireProject(inner.db, projectId);
    const object = { type: 'project', id: projectId, name } as const;
    await record(inner, { code: 'project.backed_up', projectId, object });
    return readAll(inner, projectId);
  };
  return inTransaction(ctx, work, 'repeatable read');
}

async function readAll(ctx: Context, projectId: number): Promise<Backup> {
  const meta = await requireProject(ctx.db, projectId);
  const keys = await listKeys(ctx.db, projectId);
  const repositories = await listRepositories(ctx, projectId);
  const inventories = await listInventories(ctx.db, projectId);
  const environments = await listEnvironments(ctx.db, projectId);
  const executions = await listExecutionEnvironments(ctx, projectId);
  const views = await listViews(ctx.db, projectId);
  const templates = await allTemplates(ctx, projectId);
  const workflows = await listWorkflows(ctx, projectId, {});
  const key = naming(keys);
  const repository = naming(repositories);
  const inventory = naming(inventories);
  const environment = naming(environments);
  const execution = namingChoice(executions);
  const view = naming(views.map(({ id, title }) => ({ id, name: title })));
  const chosen = { inventory, execution };
  const [template, workflow] = [naming(templates), naming(workflows)];
  return {
    format: 'signalbox',
    version: 1,
    meta: { ...meta, ...execution(meta.execution_environment_id) },
    keys: sorted(keys),
    environments: await withSecrets(ctx, projectId, sorted(environments)),
    repositories: nameRepositories(repositories, key),
    host_configs: await readHostConfigs(ctx, projectId, key),
    execution_environments: sorted(executions)
      .filter(({ project_id: owner }) => owner !== null)
      .map((one) => ({ ...one, registry_key: key(one.registry_key_id) })),
    custom_roles: sorted(await listOwnRoles(ctx, projectId)),
    inventories: nameInventories(inventories, { key, repository }),
    views: views.toSorted((a, b) => compare(a.title, b.title)),
    templates: nameTemplates(templates, {
      ...chosen,
      key,
      repository,
      environment,
      view,
      template,
    }),
    workflows: await readWorkflows(ctx, workflows, {
      template,
      workflow,
      view,
      inventories,
      execution,
    }),
    schedules: sorted(await getSchedules(ctx, projectId, {})).map((one) => ({
      ...one,
      template: template(one.template_id),
      workflow: workflow(one.workflow_id),
      repository: repository(one.repository_id),
      task_params: namedParams(one.task_params, chosen),
    })),
    integrations: await readIntegrations(ctx, projectId, { ...chosen, key, template, workflow }),
    integration_aliases: await revealAliases(ctx, { projectId, integrationId: null }),
    alert_channels: await readChannels(ctx, projectId, { template, workflow }),
    restrictions: await readRestrictions(ctx, projectId),
  };
}

const readRestrictions = async (
  { db }: Context,
  projectId: number,
): Promise<Backup['restrictions']> =>
  (await listRestrictions(db, projectId)).map(({ type, name, mode }) => ({
    object_type: type,
    name,
    mode,
  }));

const nameRepositories = (list: Repository[], key: Naming): Backup['repositories'] =>
  sorted(list).map((one) => ({
    ...one,
    ssh_key: key(one.ssh_key_id),
    status_key: key(one.status_key_id),
  }));

const nameInventories = (
  list: Inventory[],
  { key, repository }: Record<'key' | 'repository', Naming>,
): Backup['inventories'] =>
  sorted(list).map((one) => ({
    ...one,
    ssh_key: key(one.ssh_key_id),
    become_key: key(one.become_key_id),
    repository: repository(one.repository_id),
  }));

type TemplateNaming = ParamsNaming &
  Record<'key' | 'repository' | 'environment' | 'view' | 'template', Naming>;

const nameTemplates = (templates: PlainTemplate[], names: TemplateNaming): Backup['templates'] =>
  sorted(templates).map((one) => ({
    ...one,
    repository: names.repository(one.repository_id),
    inventory: names.inventory(one.inventory_id),
    environment: names.environment(one.environment_id),
    environments: one.environment_ids.map((id) => names.environment(id)),
    ...names.execution(one.execution_environment_id),
    view: names.view(one.view_id),
    build_template: names.template(one.build_template_id),
    vaults: one.vaults.map((vault) => ({ ...vault, vault_key: names.key(vault.vault_key_id) })),
  }));

async function readHostConfigs(
  ctx: Context,
  projectId: number,
  key: Naming,
): Promise<Backup['host_configs']> {
  const list = sorted(await listHostConfigs(ctx.db, projectId));
  return list.map((one) => ({ ...one, ssh_key: key(one.ssh_key_id) }));
}

async function withSecrets(
  ctx: Context,
  projectId: number,
  list: Named[],
): Promise<Backup['environments']> {
  const environments: Backup['environments'] = [];
  for (const { id } of list) {
    const { secrets, ...environment } = await getEnvironment(ctx, projectId, id);
    environments.push({ ...environment, secrets: secrets ?? [] });
  }
  return environments;
}

type Started = 'template' | 'workflow';

type WorkflowNaming = Record<Started | 'view', Naming> & {
  inventories: Named[];
  execution: ChoiceNaming;
};

async function readWorkflows(
  ctx: Context,
  workflows: PlainWorkflow[],
  { view, inventories, ...started }: WorkflowNaming,
): Promise<Backup['workflows']> {
  const [first] = workflows;
  if (!first) return [];
  const inventoryNames = new Map(inventories.map(({ id, name }) => [id, name]));
  const members = await listMembers(ctx.db, first.project_id, {});
  const logins = new Map(members.map(({ id, username }) => [id, username]));
  const names = {
    ...started,
    inventory: (id: number) => inventoryNames.get(id) ?? null,
    login: (id: number) => logins.get(id) ?? null,
  };
  return sorted(workflows).map((one) => ({
    ...one,
    view: view(one.view_id),
    graph: nameNodes(one.graph, names),
  }));
}

async function readIntegrations(
  ctx: Context,
  projectId: number,
  { key, template, workflow, ...chosen }: Record<'key' | Started, Naming> & ParamsNaming,
): Promise<Backup['integrations']> {
  const named = async (one: Integration): Promise<Backup['integrations'][number]> => {
    const owner = { projectId, integrationId: one.id };
    return {
      ...one,
      template: template(one.template_id),
      workflow: workflow(one.workflow_id),
      auth_secret: key(one.auth_secret_id),
      task_params: namedParams(one.task_params, chosen),
      matchers: await matchers.list(ctx, owner),
      extract_values: await values.list(ctx, owner),
      aliases: await revealAliases(ctx, owner),
    };
  };
  const list: Backup['integrations'] = [];
  for (const one of sorted(await listIntegrations(ctx.db, projectId, { starts: 'all' })))
    list.push(await named(one));
  return list;
}

async function readChannels(
  ctx: Context,
  projectId: number,
  { template, workflow }: Record<Started, Naming>,
): Promise<Backup['alert_channels']> {
  return sorted(await listChannels(ctx, projectId, {})).map((one) => ({
    ...one,
    templates: one.template_ids.map((id) => template(id)).toSorted(compare),
    workflows: one.workflow_ids.map((id) => workflow(id)).toSorted(compare),
  }));
}
