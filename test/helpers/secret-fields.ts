// Finds the secret fields of schemas, and their values in a request.

import { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';

/** A field of a schema: its path, with `*` for the items of a list, and its schema. */
export interface Field {
  path: string[];
  schema: z.ZodType;
  isSecret: boolean;
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

const isMarked = (schema: z.ZodType): boolean => schema.meta()?.['secret'] === true;

/** All fields of a schema, also inside its wrappings. */
export function fieldsOf(schema: z.ZodType, path: string[] = []): Field[] {
  const { def } = schema;
  const inner = Object.entries(def as unknown as Record<string, unknown>).flatMap(([name, part]) =>
    partsOf(name, part).flatMap(([step, one]) => fieldsOf(one, [...path, ...step])),
  );
  return [{ path, schema, isSecret: isMarked(schema) }, ...inner];
}

type Part = [step: string[], schema: z.ZodType];

function partsOf(name: string, part: unknown): Part[] {
  if (isSchema(part)) {
    const isItem = ['element', 'valueType', 'rest'].includes(name);
    return [[isItem ? ['*'] : [], part]];
  }
  if (name === 'getter' && typeof part === 'function') return [[[], part() as z.ZodType]];
  if (Array.isArray(part)) return part.filter(isSchema).map((one): Part => [[], one]);
  if (name !== 'shape' || typeof part !== 'object' || part === null) return [];
  return Object.entries(part as Record<string, z.ZodType>).map(([key, one]) => [[key], one]);
}

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
    valuesAt(given, path.split('.')).map((value): [string, string] => [path, value]),
  );
}

function valuesAt(at: unknown, [step, ...others]: string[]): string[] {
  if (step === undefined) return typeof at === 'string' ? [at] : [];
  if (typeof at !== 'object' || at === null) return [];
  if (step === '*') return Object.values(at).flatMap((one) => valuesAt(one, others));
  return valuesAt((at as Record<string, unknown>)[step], others);
}
