// The OpenAPI 3.1 document, generated from the endpoints.

import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { takesBody, type Endpoint } from '#shared/api/endpoint.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import { bodyContent } from './bodies.ts';
import { errorBody, responsesOf } from './responses.ts';
import { schemaOf, type Json } from './schema.ts';

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
