// Converts the resources of a backup into inputs of the use cases that create them, with ids instead of names.

import { z } from 'zod';
import { emptyAlertChannel } from '#shared/api/alert-channels.ts';
import type { BackupSection } from '#shared/api/backups.ts';
import { newEnvironment } from '#shared/api/environments.ts';
import { aliasText, newIntegration } from '#shared/api/integrations.ts';
import { newHostConfig } from '#shared/api/host-configs.ts';
import { newInventory } from '#shared/api/inventories.ts';
import { emptyKey } from '#shared/api/keys.ts';
import { newExtractValue, newMatcher } from '#shared/api/matchers.ts';
import { newRepository } from '#shared/api/repositories.ts';
import { newSchedule } from '#shared/api/schedules.ts';
import { newTemplate } from '#shared/api/templates.ts';
import { newView } from '#shared/api/views.ts';
import { newWorkflow } from '#shared/api/workflows.ts';
import type { GivenIn } from './deep-partial.ts';

/** What a backup refers to by name: resources, and people by their logins. */
export type Referred = BackupSection | 'users';

/** The id of what is named at a place; undefined when nothing is named. */
export type FindId = (
  section: Referred,
  name: string | undefined,
  at: string,
) => number | undefined;

const upTo = 1000;

/** An integration with its matchers, values and addresses. */
const wholeIntegration = newIntegration.safeExtend({
  matchers: z.array(newMatcher).max(upTo).default([]),
  extract_values: z.array(newExtractValue).max(upTo).default([]),
  aliases: z.array(aliasText).max(upTo).default([]),
});

export const schemas = {
  keys: emptyKey,
  environments: newEnvironment,
  repositories: newRepository,
  host_configs: newHostConfig,
  inventories: newInventory,
  views: newView,
  templates: newTemplate,
  workflows: newWorkflow,
  schedules: newSchedule,
  integrations: wholeIntegration,
  alert_channels: emptyAlertChannel,
} satisfies Record<BackupSection, z.ZodType>;

export type InputOf<S extends BackupSection> = z.output<(typeof schemas)[S]>;

type ToInput = { [S in BackupSection]: (given: GivenIn<S>, look: FindId) => object };

const paramsToInput = (
  { inventory, ...params }: NonNullable<GivenIn<'schedules'>['task_params']>,
  look: FindId,
  at = 'task_params',
) => ({ ...params, inventory_id: look('inventories', inventory, `${at}.inventory`) });

type GivenNode = NonNullable<NonNullable<GivenIn<'workflows'>['graph']>['nodes']>[number];

function nodeToInput(node: GivenNode, look: FindId, at: string): object {
  switch (node.type) {
    case 'template': {
      const { template, params, ...rest } = node;
      return {
        ...rest,
        template_id: look('templates', template, `${at}.template`),
        params: params && paramsToInput(params, look, `${at}.params`),
      };
    }
    case 'approval': {
      const { users, ...rest } = node;
      const user_ids = users?.map((login, index) => look('users', login, `${at}.users.${index}`));
      return { ...rest, user_ids };
    }
    case 'workflow': {
      const { workflow, ...rest } = node;
      return { ...rest, workflow_id: look('workflows', workflow, `${at}.workflow`) };
    }
    default:
      return node;
  }
}

/** The input for the schema of a section, without references that are not named. */
export const toInput: ToInput = {
  keys: (given) => given,
  environments: ({ secrets = [], ...rest }) => ({
    ...rest,
    secrets: secrets.map((secret) => ({ ...secret, operation: 'create' })),
  }),
  repositories: ({ ssh_key, status_key, ...rest }, look) => ({
    ...rest,
    ssh_key_id: look('keys', ssh_key, 'ssh_key'),
    status_key_id: look('keys', status_key, 'status_key'),
  }),
  host_configs: ({ ssh_key, ...rest }, look) => ({
    ...rest,
    ssh_key_id: look('keys', ssh_key, 'ssh_key'),
  }),
  inventories: ({ ssh_key, become_key, repository, ...rest }, look) => ({
    ...rest,
    ssh_key_id: look('keys', ssh_key, 'ssh_key'),
    become_key_id: look('keys', become_key, 'become_key'),
    repository_id: look('repositories', repository, 'repository'),
  }),
  views: (given) => given,
  templates: (given, look) => ({
    // A backup of an earlier version has templates whose tasks may run on no host.
    fail_without_hosts: false,
    ...given,
    repository_id: look('repositories', given.repository, 'repository'),
    inventory_id: look('inventories', given.inventory, 'inventory') ?? null,
    environment_id: look('environments', given.environment, 'environment') ?? null,
    environment_ids: given.environments?.map((name, index) =>
      look('environments', name, `environments.${index}`),
    ),
    view_id: look('views', given.view, 'view'),
    build_template_id: look('templates', given.build_template, 'build_template'),
    vaults: given.vaults?.map(({ name, vault_key, type, script }, index) => ({
      name,
      type,
      script,
      vault_key_id: look('keys', vault_key, `vaults.${index}.vault_key`),
    })),
  }),
  workflows: ({ view, graph, ...rest }, look) => ({
    ...rest,
    view_id: look('views', view, 'view'),
    graph: graph && {
      ...graph,
      nodes: graph.nodes?.map((node, index) => nodeToInput(node, look, `graph.nodes.${index}`)),
    },
  }),
  schedules: ({ template, workflow, repository, task_params: params, ...rest }, look) => ({
    ...rest,
    task_params: params && paramsToInput(params, look),
    template_id: look('templates', template, 'template'),
    workflow_id: look('workflows', workflow, 'workflow'),
    repository_id: look('repositories', repository, 'repository'),
  }),
  integrations: ({ template, workflow, auth_secret, task_params: params, ...rest }, look) => ({
    ...rest,
    template_id: look('templates', template, 'template'),
    workflow_id: look('workflows', workflow, 'workflow'),
    auth_secret_id: look('keys', auth_secret, 'auth_secret'),
    task_params: params && paramsToInput(params, look),
  }),
  alert_channels: ({ templates, workflows, ...rest }, look) => ({
    ...rest,
    template_ids: templates?.map((name, index) => look('templates', name, `templates.${index}`)),
    workflow_ids: workflows?.map((name, index) => look('workflows', name, `workflows.${index}`)),
  }),
};
