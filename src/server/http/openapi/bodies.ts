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

/** JSON merge patch: fields are optional, and nullable to clear them; read-only ones are accepted. */
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

/** Marks fields of other API versions with `x-compatible`. */
function bodySchema({ body, forms }: Endpoint): Json {
  const own = schemaOf(body, 'input');
  if (!forms) return own;
  const { properties = {} } = schemaOf(forms.fields, 'input') as {
    properties?: Record<string, Json>;
  };
  const others = Object.entries(properties).map(([name, other]) => {
    const mine = ((own['properties'] ?? {}) as Json)[name];
    const both = mine ? { anyOf: [mine, other] } : other;
    return [name, { ...both, 'x-compatible': true }] as const;
  });
  return { ...own, properties: { ...(own['properties'] as Json), ...Object.fromEntries(others) } };
}
