// The OpenAPI 3.1 document, printed from the endpoints themselves.

import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { takesBody, type Endpoint } from '#shared/api/endpoint.ts';
import { endpoints, mergedInto, type NamedEndpoint } from '#shared/api/index.ts';
import { errorCodes, fieldCodes } from '#shared/errors.ts';

type Json = Record<string, unknown>;

const refusalParams = z.record(z.string(), z.union([z.string(), z.number()]));

const errorBody = z.object({
  error: z.string().meta({ description: 'An English sentence for people' }),
  code: z.enum(errorCodes),
  params: refusalParams,
  fields: z
    .array(
      z.object({
        path: z.string().meta({ description: 'Where in the body, as in `vaults.0.name`' }),
        code: z.enum(fieldCodes),
        message: z.string(),
        params: refusalParams.optional(),
      }),
    )
    .optional(),
  request_id: z.string(),
  inUse: z.boolean().optional(),
});

// By version; it depends on the code alone.
const printed = new Map<string, Promise<string>>();

/** The document as JSON, made at the first call, since no start needs it. */
export function openApiDocument(version: string): Promise<string> {
  const document = printed.get(version) ?? print(version);
  printed.set(version, document);
  return document;
}

async function print(version: string): Promise<string> {
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
            'Of a remote runner, which was given it when it entered. It opens nothing else.',
        },
      },
      schemas: { Error: schema(errorBody, 'output') },
    },
  };
  return `${JSON.stringify(about).slice(0, -1)},"paths":{${(await printPaths()).join()}}}`;
}

/** The members of `paths`; other requests are answered between one path and the next. */
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
    responses: {
      [endpoint.status]: reply(endpoint),
      ...(endpoint.reply instanceof z.ZodNullable && { 204: { description: 'Done' } }),
      default: {
        description: 'Refused: see `code`',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function waysIn({ permission, token }: Endpoint): Json {
  if (permission === 'public') return {};
  if (permission === 'runner') return { security: [{ runner: [] }] };
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
      [type]: { schema: isDocument ? { type: 'object' } : schema(endpoint.reply, 'output') },
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

function parameters(group: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schema(group, 'input') as {
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

function bodyContent(endpoint: Endpoint): Json {
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
  const own = schema(body, 'input');
  if (!forms) return own;
  const { properties = {} } = schema(forms.fields, 'input') as {
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

function schema(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...rest } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (!jsonSchema['secret']) return;
      delete jsonSchema['secret'];
      if (io === 'input') jsonSchema.writeOnly = true;
    },
  });
  return rest;
}
