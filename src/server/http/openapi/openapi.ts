// The OpenAPI 3.1 document, generated from the endpoints.

import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { takesBody, type Endpoint } from '#shared/api/endpoint.ts';
import { endpoints, type NamedEndpoint, mergeOfPatch } from '#shared/api/index.ts';
import { fieldsOfPatch } from '#shared/api/patches.ts';
import { STATUS_CODES } from 'node:http';
import { messageParams } from '#shared/api/coded-messages.ts';
import { refusalsOf } from '#shared/api/refusals.ts';
import { type ErrorCode, errors } from '#shared/catalogue/errors.ts';
import { fieldErrors } from '#shared/catalogue/field-errors.ts';

/** Prints the document as JSON. */
export async function openApiDocument(version: string): Promise<string> {
  const about = {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version,
      description: 'Everything that the console can do. Sign in first, or send an API token.',
    },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'signalbox' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'sbx_…' },
        runner: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sbc_…',
          description:
            'Token issued to a remote runner at registration; valid only for runner endpoints.',
        },
        task: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sbt_…',
          description:
            'Token that a remote runner requests for one of its tasks; valid only for it.',
        },
      },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
  };
  return `${JSON.stringify(about).slice(0, -1)},"paths":{${(await printPaths()).join()}}}`;
}

/** Yields to the event loop between paths. */
async function printPaths(): Promise<string[]> {
  const paths: string[] = [];
  const byPath = Map.groupBy(endpoints, ({ endpoint }) => endpoint.path);
  for (const [path, methods] of byPath) {
    const operations = methods.map((one) => [one.endpoint.method.toLowerCase(), operation(one)]);
    const name = JSON.stringify(path.replace(/:(\w+)/g, '{$1}'));
    paths.push(`${name}:${JSON.stringify(Object.fromEntries(operations))}`);
    await setImmediate();
  }
  return paths;
}

function operation({ name, noun, endpoint }: NamedEndpoint): Json {
  const hasBody = endpoint.method !== 'GET' && takesBody(endpoint);
  return {
    operationId: name,
    tags: [noun],
    summary: endpoint.summary,
    'x-permission': endpoint.permission,
    ...(endpoint.forOthers && { 'x-compatible': true }),
    ...waysIn(endpoint),
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.versioned && ['PUT', 'PATCH'].includes(endpoint.method) ? [ifMatch] : []),
    ],
    ...(hasBody && {
      requestBody: {
        required: !endpoint.optionalBody,
        content: bodyContent(endpoint),
      },
    }),
    responses: responsesOf(endpoint),
  };
}

function waysIn({ permission, token }: Endpoint): Json {
  if (permission === 'public') return {};
  if (permission === 'runner') return { security: [{ runner: [] }] };
  if (permission === 'runner_of_task') return { security: [{ runner: [] }, { task: [] }] };
  const ways = [{ session: [] }, ...(token === 'none' ? [] : [{ token: [] }])];
  return { security: ways, 'x-token': token };
}

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the copy that the change is based on; a stale one is refused',
  schema: { type: 'string' },
};

function parameters(group: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(group, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }));
}

type Json = Record<string, unknown>;

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...rest } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Documented by the responses.
      delete jsonSchema['missing'];
      delete jsonSchema['uses'];
      if (!jsonSchema['secret']) return;
      delete jsonSchema['secret'];
      if (io === 'input') jsonSchema.writeOnly = true;
    },
  });
  return rest;
}

function bodyContent(endpoint: Endpoint): Json {
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

// The responses of an endpoint: success, and one for each status of its refusals.

const errorBody = z.object({
  error: z.string().meta({ description: 'An English sentence for people' }),
  code: z.enum(errors.codes),
  params: messageParams,
  fields: z
    .array(
      z.object({
        path: z.string().meta({ description: 'Where in the body, as in `vaults.0.name`' }),
        code: z.enum(fieldErrors.codes),
        message: z.string(),
        params: messageParams.optional(),
      }),
    )
    .optional(),
  request_id: z.string(),
  inUse: z.boolean().optional(),
});

function responsesOf(endpoint: Endpoint): Json {
  const refusals = [...refusalsOf(endpoint)].map(([status, codes]) => [
    status,
    refusal(status, codes),
  ]);
  return {
    [endpoint.status]: reply(endpoint),
    ...(endpoint.reply instanceof z.ZodNullable && { 204: { description: 'Done' } }),
    ...(Object.fromEntries(refusals) as Json),
  };
}

const refusal = (status: number, codes: ErrorCode[]): Json => ({
  description: STATUS_CODES[status] ?? 'Refused',
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
      },
    },
  },
});

function reply(endpoint: Endpoint): Json {
  if (endpoint.status === 204) return { description: 'Done' };
  if (endpoint.status === 302) {
    const schemaOfText = { schema: { type: 'string' } };
    return { description: 'Sent on', headers: { Location: schemaOfText } };
  }
  const isText = endpoint.reply instanceof z.ZodString;
  const isDocument = isText && endpoint.textType === 'application/json';
  const type = isText ? endpoint.textType : 'application/json';
  return {
    description: endpoint.status === 201 ? 'Created' : 'The answer',
    ...headersOf(endpoint),
    content: {
      [type]: { schema: isDocument ? { type: 'object' } : schemaOf(endpoint.reply, 'output') },
    },
  };
}

function headersOf({ versioned, query }: Endpoint): Json {
  const text = { schema: { type: 'string' } };
  if (versioned)
    return { headers: { ETag: { description: 'The revision, for If-Match', ...text } } };
  if (!(query instanceof z.ZodObject) || !('before' in query.shape)) return {};
  return { headers: { Link: { description: 'Where the list goes on: `rel="next"`', ...text } } };
}
