// Backs up a project: reads all of its resources in one snapshot, and replaces ids by names.

import { listChannels } from '../alerts/alert-channels/alert-channels.ts';
import type { Backup } from '#shared/api/backups.ts';
import type { Integration } from '#shared/api/integrations.ts';
import type { TaskParams } from '#shared/launch.ts';
import type { Context } from '../context/context.ts';
import { listEnvironments, getEnvironment } from '../resources/environments/environments.ts';
import { record } from '../events/events.ts';
import { revealAliases } from '../automation/integrations/aliases.ts';
import { listIntegrations } from '../automation/integrations/integrations.ts';
import { matchers, values } from '../automation/integrations/rules.ts';
import { listExecutionEnvironments } from '../resources/execution-environments/execution-environments.ts';
import { listHostConfigs } from '../resources/host-configs/host-configs.ts';
import { listInventories } from '../resources/inventories/inventories.ts';
import { listMembers } from '../people/members/members.ts';
import { listKeys } from '../resources/keys/keys.ts';
import { requireProject } from '../projects/projects.ts';
import { listRepositories } from '../resources/repositories/repositories.ts';
import { getSchedules } from '../automation/schedules/schedules.ts';
import { allTemplates } from '../automation/templates/templates.ts';
import {
  listWorkflows,
  type PlainWorkflow,
} from '../automation/workflows/definitions/workflows.ts';
import { inTransaction } from '../context/transaction.ts';
import { listViews } from '../automation/views/views.ts';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';

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
  const template = naming(templates);
  const workflow = naming(workflows);
  return {
    format: 'signalbox',
    version: 1,
    meta: { ...meta, ...execution(meta.execution_environment_id) },
    keys: sorted(keys),
    environments: await withSecrets(ctx, projectId, sorted(environments)),
    repositories: sorted(repositories).map((one) => ({
      ...one,
      ssh_key: key(one.ssh_key_id),
      status_key: key(one.status_key_id),
    })),
    host_configs: await readHostConfigs(ctx, projectId, key),
    execution_environments: sorted(executions)
      .filter(({ project_id: owner }) => owner !== null)
      .map((one) => ({ ...one, registry_key: key(one.registry_key_id) })),
    inventories: sorted(inventories).map((one) => ({
      ...one,
      ssh_key: key(one.ssh_key_id),
      become_key: key(one.become_key_id),
      repository: repository(one.repository_id),
    })),
    views: views.toSorted((a, b) => compare(a.title, b.title)),
    templates: sorted(templates).map((one) => ({
      ...one,
      repository: repository(one.repository_id),
      inventory: inventory(one.inventory_id),
      environment: environment(one.environment_id),
      environments: one.environment_ids.map((id) => environment(id)),
      ...execution(one.execution_environment_id),
      view: view(one.view_id),
      build_template: template(one.build_template_id),
      vaults: one.vaults.map((vault) => ({ ...vault, vault_key: key(vault.vault_key_id) })),
    })),
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
  };
}

async function readHostConfigs(
  ctx: Context,
  projectId: number,
  key: Naming,
): Promise<Backup['host_configs']> {
  const list = sorted(await listHostConfigs(ctx.db, projectId));
  return list.map((one) => ({ ...one, ssh_key: key(one.ssh_key_id) }));
}

interface Named {
  id: number;
  name: string;
}

interface Naming {
  (id: number): string;
  (id: number | null): string | null;
}

function naming(list: Named[]): Naming {
  const names = new Map(list.map(({ id, name }) => [id, name]));
  return ((id: number | null) => {
    if (id === null) return null;
    const name = names.get(id);
    if (name === undefined) throw new Error(`a backup names ${id}, which is not in it`);
    return name;
  }) as Naming;
}

type ChoiceNaming = (
  id: number | null,
) => Record<'execution_environment' | 'installation_environment', string | null>;

/** Tells those of the project from those of the installation, which may have the same names. */
function namingChoice(list: (Named & { project_id: number | null })[]): ChoiceNaming {
  const all = naming(list);
  const shared = new Set(list.flatMap(({ id, project_id: owner }) => (owner === null ? id : [])));
  return (id) => {
    const isShared = id !== null && shared.has(id);
    return {
      execution_environment: isShared ? null : all(id),
      installation_environment: isShared ? all(id) : null,
    };
  };
}

// Sorted here and not by the database, so that both engines produce the same backup.
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
const sorted = <T extends Named>(list: T[]): T[] =>
  list.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id);

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

interface ParamsNaming {
  inventory: Naming;
  execution: ChoiceNaming;
}

const namedParams = (params: TaskParams | null, { inventory, execution }: ParamsNaming) =>
  params && {
    ...params,
    inventory: inventory(params.inventory_id),
    ...execution(params.execution_environment_id),
  };

type Started = 'template' | 'workflow';

type WorkflowNaming = Record<Started | 'view', Naming> & {
  inventories: Named[];
  execution: ChoiceNaming;
};

async function readWorkflows(
  ctx: Context,
  workflows: PlainWorkflow[],
  { view, inventories, ...naming }: WorkflowNaming,
): Promise<Backup['workflows']> {
  const [first] = workflows;
  if (!first) return [];
  const inventoryNames = new Map(inventories.map(({ id, name }) => [id, name]));
  const members = await listMembers(ctx.db, first.project_id, {});
  const logins = new Map(members.map(({ id, username }) => [id, username]));
  const names = {
    ...naming,
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

// Converts a workflow graph for a backup: names in place of ids.

type BackedUpGraph = Backup['workflows'][number]['graph'];
type BackedUpNode = BackedUpGraph['nodes'][number];

interface NodeNames {
  template: (id: number) => string;
  workflow: (id: number) => string;
  execution: ChoiceNaming;
  /** Null if the inventory was deleted. */
  inventory: (id: number) => string | null;
  /** Null for a former member. */
  login: (id: number) => string | null;
}

const nameNodes = (graph: WorkflowGraph, names: NodeNames): BackedUpGraph => ({
  ...graph,
  nodes: graph.nodes.map((node) => nameNode(node, names)),
});

function nameNode(node: WorkflowNode, names: NodeNames): BackedUpNode {
  switch (node.type) {
    case 'template': {
      const { template_id, params, ...rest } = node;
      const template = names.template(template_id);
      return { ...rest, template, params: params && nameParams(params, names) };
    }
    case 'approval': {
      const { user_ids, ...rest } = node;
      return { ...rest, users: user_ids.flatMap((id) => names.login(id) ?? []) };
    }
    case 'workflow': {
      const { workflow_id, ...rest } = node;
      return { ...rest, workflow: names.workflow(workflow_id) };
    }
    case 'wait':
      return node;
  }
}

// The empty name makes a restore report this path.
const nameParams = ({ inventory_id: id, ...params }: TaskParams, names: NodeNames) => ({
  ...params,
  ...names.execution(params.execution_environment_id),
  inventory: id === null ? null : (names.inventory(id) ?? ''),
});
