// Finds the secret fields of schemas, and their values in a request.

import type { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { fieldsIn, type SchemaField, valuesAt } from '#shared/api/schema-fields.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';

export interface Field extends SchemaField {
  isSecret: boolean;
}

/** All fields of a schema, also inside its wrappings. */
export const fieldsOf = (schema: z.ZodType): Field[] =>
  fieldsIn(schema).map((field) => ({ ...field, isSecret: isMarked(field.schema) }));

const isMarked = (schema: z.ZodType): boolean => schema.meta()?.['secret'] === true;

/** The names of the marked fields, as in `login_password.password`. */
export const secretPaths = (schema: z.ZodType): string[] => [
  ...new Set(
    fieldsOf(schema)
      .filter(({ isSecret }) => isSecret)
      .map(({ path }) => path.join('.')),
  ),
];

const parts = ['params', 'query', 'body'] as const;
type RequestParts = Partial<Record<(typeof parts)[number], unknown>>;

/** The marked fields of a request, as in `body.login_password.password`. */
export const secretsOf = (endpoint: Endpoint): string[] =>
  parts.flatMap((part) => secretPaths(endpoint[part]).map((path) => `${part}.${path}`));

/** Each marked field of all requests, as in `keys.create body.login_password.password`. */
export const secretRequestFields = (all: NamedEndpoint[] = endpoints): string[] =>
  all.flatMap(({ name, endpoint }) => secretsOf(endpoint).map((path) => `${name} ${path}`));

/** The values of the secret fields of a request. */
export function secretValues(
  endpoint: Endpoint,
  given: RequestParts,
): [path: string, value: string][] {
  return secretsOf(endpoint).flatMap((path) =>
    valuesAt(given, path.split('.'))
      .filter((value) => typeof value === 'string')
      .map((value): [string, string] => [path, value]),
  );
}
