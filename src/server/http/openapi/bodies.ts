// The bodies of requests in the OpenAPI document.

import type { Endpoint } from '#shared/api/endpoint.ts';
import { mergedInto } from '#shared/api/index.ts';
import { schemaOf, type Json } from './schema.ts';

export function bodyContent(endpoint: Endpoint): Json {
  const put = mergedInto(endpoint);
  if (!put) {
    return { [endpoint.anyType ? '*/*' : 'application/json']: { schema: bodySchema(endpoint) } };
  }
  const patch = { schema: patchSchema(bodySchema(put)) };
  return { 'application/merge-patch+json': patch, 'application/json': patch };
}

/** The schema of a JSON merge patch: any of the fields, and null for those that are to be cleared. */
function patchSchema({ properties, required: _required, ...rest }: Json): Json {
  const fields = Object.entries((properties ?? {}) as Json);
  const orNull = fields.map(([name, field]) => {
    const { 'x-compatible': mark, ...plain } = field as Json;
    const isOfOthers = mark === true && { 'x-compatible': true };
    return [name, { anyOf: [plain, { type: 'null' }], ...isOfOthers }];
  });
  return { ...rest, properties: Object.fromEntries(orNull) as Json };
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
