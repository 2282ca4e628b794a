// A table of the resources of a project, for tests of what they have in common.

import type { Endpoint } from '#shared/api/endpoint.ts';
import { environments } from '#shared/api/environments.ts';
import { integrations } from '#shared/api/integrations.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { templates } from '#shared/api/templates.ts';
import type { ApiReply, Caller } from './app.ts';
import type { Seed } from './seed.ts';

export type Body = Record<string, unknown>;
type Verb = 'list' | 'create' | 'one' | 'update' | 'remove';

interface Resource {
  noun: string;
  group: Record<Verb, Endpoint>;
  idParam: string;
  nameMax: number;
  /** An accepted body. */
  sample: (seed: Seed, name: string) => Body;
  /** The fields of the created resource besides id, project_id and name. */
  shown: (seed: Seed) => Body;
  /** The field for each kind of thing that the resource refers to. */
  references: string[];
  sorts: string[];
}

export const resources: Resource[] = [
  {
    noun: 'key',
    group: keys,
    idParam: 'key_id',
    nameMax: 255,
    sample: (_seed, name) => ({ name, type: 'none' }),
    shown: () => ({ type: 'none', empty: false, override_secret: false }),
    references: [],
    sorts: ['name', 'type'],
  },
  {
    noun: 'repository',
    group: repositories,
    idParam: 'repository_id',
    nameMax: 255,
    sample: (seed, name) => ({
      name,
      git_url: 'https://example.com/code.git',
      git_branch: 'main',
      ssh_key_id: seed.keyId,
      with_submodules: false,
    }),
    shown: (seed) => ({
      git_url: 'https://example.com/code.git',
      git_branch: 'main',
      ssh_key_id: seed.keyId,
      with_submodules: false,
    }),
    references: ['ssh_key_id'],
    sorts: ['name', 'git_url', 'ssh_key'],
  },
  {
    noun: 'inventory',
    group: inventories,
    idParam: 'inventory_id',
    nameMax: 255,
    sample: (seed, name) => ({
      name,
      type: 'file',
      inventory: 'hosts/all',
      ssh_key_id: seed.keyId,
      become_key_id: seed.keyId,
      repository_id: seed.repositoryId,
    }),
    shown: (seed) => ({
      type: 'file',
      inventory: 'hosts/all',
      ssh_key_id: seed.keyId,
      become_key_id: seed.keyId,
      repository_id: seed.repositoryId,
    }),
    references: ['ssh_key_id', 'become_key_id', 'repository_id'],
    sorts: ['name', 'type'],
  },
  {
    noun: 'environment',
    group: environments,
    idParam: 'environment_id',
    nameMax: 255,
    sample: (_seed, name) => ({ name, json: '{"a": [1]}', env: '{"B": "2"}' }),
    shown: () => ({ json: '{"a": [1]}', env: '{"B": "2"}', secrets: [] }),
    references: [],
    sorts: ['name'],
  },
  {
    noun: 'template',
    group: templates,
    idParam: 'template_id',
    nameMax: 100,
    sample: (seed, name) => ({
      name,
      playbook: 'play.yml',
      inventory_id: seed.inventoryId,
      repository_id: seed.repositoryId,
      environment_id: seed.environmentId,
      vault_key_id: seed.keyId,
    }),
    shown: (seed) => ({
      playbook: 'play.yml',
      inventory_id: seed.inventoryId,
      repository_id: seed.repositoryId,
      environment_id: seed.environmentId,
      vault_key_id: seed.keyId,
      app: 'ansible',
      type: '',
      limit: '',
      git_branch: null,
      survey_vars: [],
      tasks: 0,
      last_task: null,
      last_task_id: null,
    }),
    references: ['inventory_id', 'repository_id', 'environment_id', 'view_id', 'vault_key_id'],
    sorts: ['name', 'playbook', 'inventory', 'environment', 'repository'],
  },
  {
    noun: 'integration',
    group: integrations,
    idParam: 'integration_id',
    nameMax: 255,
    sample: (seed, name) => ({
      name,
      auth_method: 'hmac',
      auth_header: 'X-Ours',
      searchable: true,
      task_params: { limit: 'web', diff: true, inventory_id: seed.inventoryId },
    }),
    shown: (seed) => ({
      template_id: null,
      auth_method: 'hmac',
      auth_header: 'X-Ours',
      auth_secret_id: null,
      searchable: true,
      task_params: {
        message: '',
        debug: false,
        dry_run: false,
        diff: true,
        arguments: null,
        git_branch: null,
        limit: 'web',
        tags: null,
        skip_tags: null,
        inventory_id: seed.inventoryId,
      },
    }),
    references: ['template_id', 'auth_secret_id'],
    sorts: ['name'],
  },
];

// The endpoints come from a table, so TypeScript does not know each type.
interface Args {
  params?: Body;
  query?: Body;
  body?: Body;
  ifMatch?: string;
}
export const ask = (
  caller: Caller,
  endpoint: Endpoint,
  args: Args,
): Promise<ApiReply<Body & Body[]>> => caller.ask(endpoint, args as never) as never;
