// The bodies of requests in the OpenAPI document.

import type { Endpoint } from '#shared/api/endpoint.ts';
import { mergeOfPatch } from '#shared/api/index.ts';
import { fieldsOfPatch } from '#shared/api/patches.ts';
import { schemaOf, type Json } from './schema.ts';

export function bodyContent(endpoint: Endpoint): Json {
  const merge = mergeOfPatch(endpoint);
  if (!merge) {
    return { [endpoint.webhook ? '*/*' : 'application/json']: { schema: bodySchema(endpoint) } };
  }
  const patch = { schema: patchSchema(bodySchema(merge.put), fieldsOfPatch(merge)) };
  return { 'application/merge-patch+json': patch, 'application/json': patch };
}

/**
 * The schema of a JSON merge patch: any of the fields, and null for those that are to be cleared.
 * Fields that are only shown may be sent back, and all others are refused.
 */
function patchSchema(
  { properties, required: _required, additionalProperties: _more, ...rest }: Json,
  known: string[],
): Json {
  const shown = known.map((name) => [name, { readOnly: true }] as const);
  const fields = Object.entries((properties ?? {}) as Json);
  const orNull = fields.map(([name, field]) => {
    const { 'x-compatible': mark, ...plain } = field as Json;
    const isOfOthers = mark === true && { 'x-compatible': true };
    return [name, { anyOf: [plain, { type: 'null' }], ...isOfOthers }] as const;
  });
  const all = Object.fromEntries<Json>([...shown, ...orNull]);
  return { ...rest, properties: all, additionalProperties: false };
}

/** The schema of a body, with the fields of other forms, which `x-compatible` marks. */
function bodySchema({ body, forms }: Endpoint): Json {
  const own = schemaOf(body, 'input');
  if (!forms) return own;
  const { properties = {} } = schemaOf(forms.fields, 'input') as {
    properties?: Record<string, Json>;
  };
  const others = Object.entries(properties).map(([name, other]) => {
    const [mine] = Object.entries((own['properties'] ?? {}) as Json).filter(
      ([key]) => key === name,
    );
    const both = mine ? { anyOf: [mine[1], other] } : other;
    return [name, { ...both, 'x-compatible': true }] as const;
  });
  return { ...own, properties: { ...(own['properties'] as Json), ...Object.fromEntries(others) } };
}
