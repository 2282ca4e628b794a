import { z } from 'zod';
import { compatOnly } from '../compatible/forms.ts';
import { storedFields } from '../stored-fields.ts';
import {
  id,
  initially,
  jsonEnvText,
  jsonObjectText,
  line,
  multiline,
  nullable,
  secret,
} from '../fields.ts';
import { sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';

/** `var`: an extra variable. `env`: an environment variable. */
export const secretTypes = ['var', 'env'] as const;
export type SecretType = (typeof secretTypes)[number];

/** A variable whose value is write-only. */
export const environmentSecret = z.object({
  id,
  type: z.enum(secretTypes),
  name: z.string(),
  /** Whether the value is missing, for example after a restore. */
  empty: z.boolean(),
  /** Always empty. */
  secret: z.literal(''),
  /** Always empty; allows to send a reply back. */
  operation: z.literal(''),
});
export type EnvironmentSecret = z.output<typeof environmentSecret>;

/** Secrets that are not listed, or have no operation, do not change. */
const secretChange = z.object({
  operation: initially(z.enum(['', 'create', 'update', 'delete']), ''),
  /** Null or 0: a new secret. */
  id: nullable(z.union([z.literal(0), id])).transform((given) => given || null),
  /** Absent: unchanged, and `var` for a new secret. */
  type: nullable(z.enum(secretTypes)),
  /** Absent: unchanged. */
  name: nullable(line(255, 'name.required')),
  /** Empty: unchanged. */
  secret: initially(secret(multiline(64 * 1024)), ''),
});
export type SecretChange = z.output<typeof secretChange>;

const fields = {
  name: line(255, 'name.required'),
  /** Extra variables as a JSON object. */
  json: initially(jsonObjectText, '{}'),
  /** Environment variables as a JSON object of plain values. */
  env: initially(jsonEnvText, '{}'),
};

export const environment = z.object({
  id,
  project_id: id,
  ...storedFields(fields),
  /** Always null: secret values belong into `secrets`. */
  ...compatOnly({ password: z.null() }),
  /** Without values; null in lists. */
  secrets: z.array(environmentSecret).nullable(),
});
export type Environment = z.output<typeof environment>;

export const newEnvironment = z.object({
  ...fields,
  secrets: initially(z.array(secretChange).max(500), []),
});
export type NewEnvironment = z.output<typeof newEnvironment>;

export const environments = {
  ...resourceEndpoints('/api/project/:project_id/environment', 'environment', {
    permission: 'environment.edit',
    summaries: {
      list: 'The environments of the project; without their secrets, and for guests without content',
      create: 'Add an environment',
      one: 'One environment, with the names of its secrets; its content is empty for guests',
      update: 'Change an environment, and those of its secrets that are named',
      remove: 'Delete an environment that nothing uses',
    },
    query: sortedQuery(['name']),
    body: newEnvironment,
    kept: ['json', 'env'],
    reply: environment,
  }),
  refs: refsEndpoint('/api/project/:project_id/environment/:environment_id', 'an environment'),
};
