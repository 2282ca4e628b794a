import { z } from 'zod';
import { compatOnly } from '../compatible/forms.ts';
import { storedFields } from '../stored-fields.ts';
import { endpoint } from './endpoint.ts';
import {
  id,
  idOf,
  initially,
  jsonEnvText,
  jsonObjectText,
  line,
  multiline,
  nullable,
  secret,
} from '../fields.ts';
import { sortedQuery } from './page.ts';
import { inProject } from './projects.ts';
import { refsEndpoint } from './references.ts';

/** `var`: an extra variable. `env`: a variable of the process. */
export const secretTypes = ['var', 'env'] as const;
export type SecretType = (typeof secretTypes)[number];

/** A variable whose value the API never answers. */
export const environmentSecret = z.object({
  id,
  type: z.enum(secretTypes),
  name: z.string(),
  /** Whether the value is still missing, for example after a restore. */
  empty: z.boolean(),
  /** Always empty. */
  secret: z.literal(''),
  /** Always empty; it is there so that a reply can be sent back as it is. */
  operation: z.literal(''),
});
export type EnvironmentSecret = z.output<typeof environmentSecret>;

/** A change of one secret. Secrets that are not listed, or have no operation, stay as they are. */
const secretChange = z.object({
  operation: initially(z.enum(['', 'create', 'update', 'delete']), ''),
  /** The id of an existing secret; null or 0 for a new one. */
  id: nullable(z.union([z.literal(0), id])).transform((given) => given || null),
  /** When it is missing, an existing secret keeps its type, and a new one gets `var`. */
  type: nullable(z.enum(secretTypes)),
  /** When it is missing, an existing secret keeps its name. */
  name: nullable(line(255, 'name.required')),
  /** When it is empty, an existing secret keeps its value. */
  secret: initially(secret(multiline(64 * 1024)), ''),
});
export type SecretChange = z.output<typeof secretChange>;

const fields = {
  name: line(255, 'name.required'),
  /** Extra variables: the text of a JSON object. */
  json: initially(jsonObjectText, '{}'),
  /** Variables of the process: the text of a JSON object of plain values. */
  env: initially(jsonEnvText, '{}'),
};

export const environment = z.object({
  id,
  project_id: id,
  ...storedFields(fields),
  /** Always null: secret values belong into `secrets`. */
  ...compatOnly({ password: z.null() }),
  /** Names only; null in lists. */
  secrets: z.array(environmentSecret).nullable(),
});
export type Environment = z.output<typeof environment>;

export const newEnvironment = z.object({
  ...fields,
  secrets: initially(z.array(secretChange).max(500), []),
});
export type NewEnvironment = z.output<typeof newEnvironment>;

const params = inProject.extend({ environment_id: idOf('environment.not_found') });

export const environments = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/environment',
    permission: 'member',
    summary:
      'The environments of the project; without their secrets, and for guests without content',
    params: inProject,
    query: sortedQuery(['name']),
    reply: z.array(environment),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/environment',
    permission: 'manage_resources',
    summary: 'Add an environment',
    params: inProject,
    body: newEnvironment,
    reply: environment,
    status: 201,
    refuses: ['environment.name_taken', 'request.stale'],
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/environment/:environment_id',
    permission: 'member',
    summary: 'One environment, with the names of its secrets; its content is empty for guests',
    params,
    reply: environment,
    versioned: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/project/:project_id/environment/:environment_id',
    permission: 'manage_resources',
    summary: 'Change an environment, and those of its secrets that are named',
    params,
    body: newEnvironment,
    kept: ['json', 'env'],
    versioned: true,
    refuses: ['environment.name_taken'],
  }),
  refs: refsEndpoint(
    '/api/project/:project_id/environment/:environment_id',
    params,
    'an environment',
  ),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/project/:project_id/environment/:environment_id',
    permission: 'manage_resources',
    summary: 'Delete an environment that nothing uses',
    params,
    refuses: ['environment.in_use'],
  }),
};
