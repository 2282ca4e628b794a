// The backup of a project: one document with its resources, without secrets, members, tasks and events. References are
// by name. The document consists of the API's replies for each noun, so it includes new fields automatically.

import { z } from 'zod';
import { messageParams } from './coded-messages.ts';
import { fieldErrors } from '../catalogue/field-errors.ts';
import { restoreNotes } from '../catalogue/restore-notes.ts';
import { alertChannel } from './alert-channels.ts';
import { endpoint } from './endpoint.ts';
import { environment, environmentSecret } from './environments.ts';
import { executionEnvironment } from './execution-environments.ts';
import { id, secret } from '../fields.ts';
import { integration } from './integrations.ts';
import { restriction } from './grants.ts';
import { hostConfig } from './host-configs.ts';
import { inventory } from './inventories.ts';
import { key } from './keys.ts';
import { taskParams } from '../launch.ts';
import { extractValue, matcher } from './matchers.ts';
import { project } from './projects.ts';
import { repository } from './repositories.ts';
import { schedule } from './schedules.ts';
import { vaultTypes } from '../template-vaults.ts';
import { template } from './templates.ts';
import { customRole } from './roles.ts';
import { view } from './views.ts';
import { shownGraph, shownNode } from '../workflows/shown-graph.ts';
import { workflow } from './workflows.ts';

const name = z.string();
const nameOrNull = name.nullable();
const ids = { id: true, project_id: true } as const;
const ofIntegration = { id: true, integration_id: true } as const;

/** Where an execution environment is chosen: by name, one of the project or of the installation. */
const chosenEnvironment = {
  execution_environment: nameOrNull,
  installation_environment: nameOrNull,
};
const ofEnvironment = { execution_environment_id: true } as const;

const backedUpTemplate = template
  .omit({
    ...ids,
    repository_id: true,
    inventory_id: true,
    environment_id: true,
    environment_ids: true,
    ...ofEnvironment,
    view_id: true,
    build_template_id: true,
    // The vault is in the list of vaults.
    vault_key_id: true,
    tasks: true,
    last_task: true,
    last_task_id: true,
  })
  .extend({
    repository: name,
    inventory: nameOrNull,
    environment: nameOrNull,
    /** In their order of priority. */
    environments: z.array(name),
    ...chosenEnvironment,
    view: nameOrNull,
    build_template: nameOrNull,
    vaults: z.array(
      z.object({
        name: nameOrNull,
        type: z.enum(vaultTypes),
        vault_key: nameOrNull,
        script: z.string().nullable(),
      }),
    ),
  });

const backedUpParams = taskParams
  .omit({ inventory_id: true, ...ofEnvironment })
  .extend({ inventory: nameOrNull, ...chosenEnvironment })
  .nullable();

const backedUpIntegration = integration
  .omit({ ...ids, template_id: true, workflow_id: true, auth_secret_id: true })
  .extend({
    template: nameOrNull,
    workflow: nameOrNull,
    auth_secret: nameOrNull,
    task_params: backedUpParams,
    matchers: z.array(matcher.omit(ofIntegration)),
    extract_values: z.array(extractValue.omit(ofIntegration)),
    /** The random parts of the integration's addresses. */
    aliases: z.array(secret(z.string())),
  });

const [templateNode, approvalNode, waitNode, workflowNode] = shownNode.options;

const backedUpNode = z.discriminatedUnion('type', [
  templateNode.omit({ template_id: true }).extend({ template: name, params: backedUpParams }),
  /** The logins of users who may approve. */
  approvalNode.omit({ user_ids: true }).extend({ users: z.array(name) }),
  waitNode,
  workflowNode.omit({ workflow_id: true }).extend({ workflow: name }),
]);

const backedUpWorkflow = workflow.omit({ ...ids, view_id: true, last_run: true }).extend({
  view: nameOrNull,
  graph: shownGraph.extend({ nodes: z.array(backedUpNode) }),
});

export const backup = z.object({
  format: z.literal('signalbox'),
  version: z.literal(1),
  meta: project.omit({ id: true, created: true, ...ofEnvironment }).extend(chosenEnvironment),
  keys: z.array(key.pick({ name: true, type: true })),
  environments: z.array(
    environment
      .omit({ ...ids, password: true })
      .extend({ secrets: z.array(environmentSecret.pick({ type: true, name: true })) }),
  ),
  repositories: z.array(
    repository
      .omit({ ...ids, ssh_key_id: true, status_key_id: true })
      .extend({ ssh_key: name, status_key: nameOrNull }),
  ),
  host_configs: z.array(hostConfig.omit({ ...ids, ssh_key_id: true }).extend({ ssh_key: name })),
  execution_environments: z.array(
    executionEnvironment
      .omit({ ...ids, registry_key_id: true, unavailable: true })
      .extend({ registry_key: nameOrNull }),
  ),
  custom_roles: z.array(customRole.omit(ids)),
  inventories: z.array(
    inventory
      .omit({
        ...ids,
        ssh_key_id: true,
        become_key_id: true,
        repository_id: true,
        holder_id: true,
      })
      .extend({ ssh_key: nameOrNull, become_key: nameOrNull, repository: nameOrNull }),
  ),
  views: z.array(view.omit(ids)),
  templates: z.array(backedUpTemplate),
  workflows: z.array(backedUpWorkflow),
  schedules: z.array(
    schedule
      .omit({
        ...ids,
        template_id: true,
        tpl_name: true,
        workflow_id: true,
        workflow_name: true,
        repository_id: true,
        next_due: true,
        last_fire: true,
      })
      .extend({
        template: nameOrNull,
        workflow: nameOrNull,
        repository: nameOrNull,
        task_params: backedUpParams,
      }),
  ),
  integrations: z.array(backedUpIntegration),
  /** The random parts of the project's addresses. */
  integration_aliases: z.array(secret(z.string())),
  restrictions: z.array(restriction.pick({ object_type: true, mode: true }).extend({ name })),
  alert_channels: z.array(
    alertChannel
      .pick({ name: true, type: true, active: true, events: true })
      .extend({ templates: z.array(name), workflows: z.array(name) }),
  ),
});
export type Backup = z.output<typeof backup>;

/** The fields of a backup that hold lists of resources. */
export const backupSections = [
  'keys',
  'environments',
  'repositories',
  'host_configs',
  'execution_environments',
  'custom_roles',
  'inventories',
  'views',
  'templates',
  'workflows',
  'schedules',
  'integrations',
  'alert_channels',
  'restrictions',
] as const;
export type BackupSection = (typeof backupSections)[number];

/** The size limit of a backup to restore. */
const backupLimit = 16 * 1024 * 1024;

// Higher than in any real project.
const LIMITS = { inSection: 2000, values: 500_000, fields: 2000, depth: 20 };

/** Refuses a document whose validation would take long. */
function limitSize(document: unknown, context: z.RefinementCtx): unknown {
  const waiting: [value: unknown, depth: number][] = [[document, 0]];
  let count = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    count += inner.length;
    const isWide = !Array.isArray(value) && inner.length > LIMITS.fields;
    if (isWide || count > LIMITS.values || depth > LIMITS.depth) {
      context.addIssue({ code: 'custom', message: 'restore.too_much' });
      return z.NEVER;
    }
    for (const one of inner) waiting.push([one, depth + 1]);
  }
  return document;
}

const section = z.array(z.unknown()).max(LIMITS.inSection).nullish();

/** The structure of a backup. Resources are validated one by one afterwards, so that all errors are reported at once. */
const restoreDocument = z.preprocess(
  limitSize,
  z.looseObject({
    /** Absent in backups of the older API. */
    format: z.literal('signalbox').nullish(),
    version: z.literal(1).nullish(),
    meta: z.unknown(),
    keys: section,
    environments: section,
    repositories: section,
    host_configs: section,
    execution_environments: section,
    custom_roles: section,
    inventories: section,
    views: section,
    templates: section,
    workflows: section,
    schedules: section,
    integrations: section,
    integration_aliases: section,
    alert_channels: section,
    restrictions: section,
  }),
);
export type RestoreDocument = z.output<typeof restoreDocument>;

/** The restored project, and what has to be completed. */
const restored = project.extend({
  /** Keys without a secret. */
  empty_keys: z.array(key.pick({ id: true, name: true, type: true })),
  /** Secrets of environments without a value. */
  empty_secrets: z.array(
    environmentSecret
      .pick({ type: true, name: true })
      .extend({ environment_id: id, environment: name }),
  ),
  /** Channels without an address or chat. */
  alert_channels: z.array(alertChannel.pick({ id: true, name: true, type: true })),
  /** Addresses that replace those already taken; without an integration: of the project. */
  new_aliases: z.array(
    z.object({ path: z.string(), integration: nameOrNull, id, url: secret(z.string()) }),
  ),
  /** Parts that were converted or left out. */
  notes: z.array(
    z.object({
      path: z.string(),
      code: z.enum(restoreNotes.codes),
      params: z.object({ name, login: name.optional() }),
      text: z.string(),
      /** The error of the field at `path` that was left out. */
      error: z
        .object({
          code: z.enum(fieldErrors.codes),
          message: z.string(),
          params: messageParams.optional(),
        })
        .optional(),
    }),
  ),
});
export type Restored = z.output<typeof restored>;

export const backups = {
  read: endpoint.get('/api/project/:project_id/backup', {
    permission: 'backup.read',
    // The document has the secret addresses of integrations.
    token: 'all',
    summary: 'The project as one document, without secrets, members, tasks and events',
    reply: backup,
    refuses: ['secret.not_opened', 'permission.restricted'],
  }),
  restore: endpoint.post('/api/projects/restore', {
    permission: 'create_project',
    summary: 'Create a project from a backup, of Signalbox or of the older API',
    body: restoreDocument,
    anyType: true,
    bodyLimit: backupLimit,
    // `limitSize` has its own limits.
    mostValues: 1_000_000,
    reply: restored,
  }),
};
