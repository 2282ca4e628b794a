// Converts the resources of a backup into inputs of use cases, with ids instead of names.

import { z } from 'zod';
import { emptyAlertChannel } from '#shared/api/alert-channels.ts';
import type { BackupSection } from '#shared/api/backups.ts';
import { newEnvironment } from '#shared/api/environments.ts';
import { newExecutionEnvironment } from '#shared/api/execution-environments.ts';
import { aliasText, newIntegration } from '#shared/api/integrations.ts';
import { newHostConfig } from '#shared/api/host-configs.ts';
import { newInventory } from '#shared/api/inventories.ts';
import { emptyKey } from '#shared/api/keys.ts';
import { newExtractValue, newMatcher } from '#shared/api/matchers.ts';
import { newRepository } from '#shared/api/repositories.ts';
import { newSchedule } from '#shared/api/schedules.ts';
import { newTemplate } from '#shared/api/templates.ts';
import { newRestriction } from '#shared/api/grants.ts';
import { grantedTables } from '#shared/grants/granted-types.ts';
import { newRole } from '#shared/api/roles.ts';
import { newView } from '#shared/api/views.ts';
import { newWorkflow } from '#shared/api/workflows.ts';
import type { GivenIn } from './deep-partial.ts';

/** Users are referred to by their logins; those of the installation are in no backup. */
export type Referred = BackupSection | 'users' | 'installation_environments';

/** Resolves a name at a path; undefined for no name. */
export type FindId = (
  section: Referred,
  name: string | undefined,
  at: string,
) => number | undefined;

const MAX_RULES = 1000;

const wholeIntegration = newIntegration.safeExtend({
  matchers: z.array(newMatcher).max(MAX_RULES).default([]),
  extract_values: z.array(newExtractValue).max(MAX_RULES).default([]),
  aliases: z.array(aliasText).max(MAX_RULES).default([]),
});

export const schemas = {
  keys: emptyKey,
  environments: newEnvironment,
  repositories: newRepository,
  host_configs: newHostConfig,
  execution_environments: newExecutionEnvironment,
  custom_roles: newRole,
  inventories: newInventory,
  views: newView,
  templates: newTemplate,
  workflows: newWorkflow,
  schedules: newSchedule,
  integrations: wholeIntegration,
  alert_channels: emptyAlertChannel,
  restrictions: newRestriction,
} satisfies Record<BackupSection, z.ZodType>;

export type InputOf<S extends BackupSection> = z.output<(typeof schemas)[S]>;

type ToInput = { [S in BackupSection]: (given: GivenIn<S>, findId: FindId) => object };

type GivenParams = NonNullable<GivenIn<'schedules'>['task_params']>;

export interface ChosenEnvironment {
  execution_environment?: string | undefined;
  installation_environment?: string | undefined;
}

/** One of the project, or of the installation. */
export const findChosen = (given: ChosenEnvironment, findId: FindId, at = ''): number | undefined =>
  findId('execution_environments', given.execution_environment, `${at}execution_environment`) ??
  findId(
    'installation_environments',
    given.installation_environment,
    `${at}installation_environment`,
  );

const paramsToInput = (
  { inventory, execution_environment, installation_environment, ...params }: GivenParams,
  findId: FindId,
  at = 'task_params',
) => ({
  ...params,
  inventory_id: findId('inventories', inventory, `${at}.inventory`),
  execution_environment_id: findChosen(
    { execution_environment, installation_environment },
    findId,
    `${at}.`,
  ),
});

type GivenNode = NonNullable<NonNullable<GivenIn<'workflows'>['graph']>['nodes']>[number];

function nodeToInput(node: GivenNode, findId: FindId, at: string): object {
  switch (node.type) {
    case 'template': {
      const { template, params, ...rest } = node;
      return {
        ...rest,
        template_id: findId('templates', template, `${at}.template`),
        params: params && paramsToInput(params, findId, `${at}.params`),
      };
    }
    case 'approval': {
      const { users, ...rest } = node;
      const user_ids = users?.map((login, index) => findId('users', login, `${at}.users.${index}`));
      return { ...rest, user_ids };
    }
    case 'workflow': {
      const { workflow, ...rest } = node;
      return { ...rest, workflow_id: findId('workflows', workflow, `${at}.workflow`) };
    }
    default:
      return node;
  }
}

/** The input of each section, without missing references. */
export const toInput: ToInput = {
  keys: (given) => given,
  environments: ({ secrets = [], ...rest }) => ({
    ...rest,
    secrets: secrets.map((secret) => ({ ...secret, operation: 'create' })),
  }),
  repositories: ({ ssh_key, status_key, ...rest }, findId) => ({
    ...rest,
    ssh_key_id: findId('keys', ssh_key, 'ssh_key'),
    status_key_id: findId('keys', status_key, 'status_key'),
  }),
  host_configs: ({ ssh_key, ...rest }, findId) => ({
    ...rest,
    ssh_key_id: findId('keys', ssh_key, 'ssh_key'),
  }),
  execution_environments: ({ registry_key, ...rest }, findId) => ({
    ...rest,
    registry_key_id: findId('keys', registry_key, 'registry_key'),
  }),
  inventories: ({ ssh_key, become_key, repository, ...rest }, findId) => ({
    ...rest,
    ssh_key_id: findId('keys', ssh_key, 'ssh_key'),
    become_key_id: findId('keys', become_key, 'become_key'),
    repository_id: findId('repositories', repository, 'repository'),
  }),
  custom_roles: (given) => given,
  views: (given) => given,
  templates: (given, findId) => ({
    // Older backups allow runs without hosts.
    fail_without_hosts: false,
    ...given,
    repository_id: findId('repositories', given.repository, 'repository'),
    inventory_id: findId('inventories', given.inventory, 'inventory') ?? null,
    environment_id: findId('environments', given.environment, 'environment') ?? null,
    environment_ids: given.environments?.map((name, index) =>
      findId('environments', name, `environments.${index}`),
    ),
    execution_environment_id: findChosen(given, findId),
    view_id: findId('views', given.view, 'view'),
    build_template_id: findId('templates', given.build_template, 'build_template'),
    vaults: given.vaults?.map(({ name, vault_key, type, script }, index) => ({
      name,
      type,
      script,
      vault_key_id: findId('keys', vault_key, `vaults.${index}.vault_key`),
    })),
  }),
  workflows: ({ view, graph, ...rest }, findId) => ({
    ...rest,
    view_id: findId('views', view, 'view'),
    graph: graph && {
      ...graph,
      nodes: graph.nodes?.map((node, index) => nodeToInput(node, findId, `graph.nodes.${index}`)),
    },
  }),
  schedules: ({ template, workflow, repository, task_params: params, ...rest }, findId) => ({
    ...rest,
    task_params: params && paramsToInput(params, findId),
    template_id: findId('templates', template, 'template'),
    workflow_id: findId('workflows', workflow, 'workflow'),
    repository_id: findId('repositories', repository, 'repository'),
  }),
  integrations: ({ template, workflow, auth_secret, task_params: params, ...rest }, findId) => ({
    ...rest,
    template_id: findId('templates', template, 'template'),
    workflow_id: findId('workflows', workflow, 'workflow'),
    auth_secret_id: findId('keys', auth_secret, 'auth_secret'),
    task_params: params && paramsToInput(params, findId),
  }),
  restrictions: ({ object_type: type, name, mode }, findId) => ({
    object_type: type,
    object_id: type && findId(grantedTables[type].table, name, 'name'),
    mode,
  }),
  alert_channels: ({ templates, workflows, ...rest }, findId) => ({
    ...rest,
    template_ids: templates?.map((name, index) => findId('templates', name, `templates.${index}`)),
    workflow_ids: workflows?.map((name, index) => findId('workflows', name, `workflows.${index}`)),
  }),
};
