// Only on SQLite: the description of the API is the same on every engine.

import { describe, expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { isOfRunner } from '#shared/permissions.ts';
import { testApp } from './helpers/app.ts';

interface JsonObject {
  [name: string]: unknown;
}

interface Operation {
  operationId: string;
  parameters: { name: string; schema: JsonObject }[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, { content?: Record<string, { schema: RefusalSchema }> }>;
}
interface RefusalSchema {
  allOf?: { properties?: { code: { enum: string[] } } }[];
}

const operationsOf = (document: JsonObject): Operation[] =>
  Object.values(document['paths'] as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  );

describe('the OpenAPI document', () => {
  const read = async (): Promise<JsonObject> => {
    const app = await testApp();
    return (await app.nobody.raw({ url: '/api/openapi.json' })).json<JsonObject>();
  };

  test('is of version 3.1 and has every endpoint', async () => {
    const document = await read();
    expect(document['openapi']).toBe('3.1.0');
    const paths = document['paths'] as Record<string, Record<string, JsonObject>>;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        String(operation['operationId']),
        `${method.toUpperCase()} ${path}`,
        operation['x-permission'],
      ]),
    );
    const wanted = endpoints.map(({ name, endpoint: one }) => [
      name,
      `${one.method} ${one.path.replace(/:(\w+)/g, '{$1}')}`,
      one.permission,
    ]);
    const byName = (list: unknown[][]) =>
      list.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
    expect(byName(operations)).toEqual(byName(wanted));
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const needsSession = operation['x-permission'] !== 'public';
      expect(Boolean(operation['security'])).toBe(needsSession);
      expect(Object.keys(operation['responses'] as object)).not.toContain('default');
    }
  });

  test('refers to nothing that it does not hold', async () => {
    const document = await read();
    const references: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (name === '$ref') references.push(String(inner));
        walk(inner);
      }
    };
    walk(document);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\//);
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => (at as JsonObject | undefined)?.[name], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });

  test('tells which answers have a revision, and which a next page', async () => {
    const document = await read();
    const paths = document['paths'] as Record<string, Record<string, { responses: JsonObject }>>;
    const headers = (path: string): string[] => {
      const answer = paths[`/api/project/{project_id}${path}`]?.['get']?.responses['200'];
      return Object.keys((answer as { headers?: object }).headers ?? {});
    };
    expect(headers('/views/{view_id}')).toEqual(['ETag']);
    expect(headers('/tasks/last')).toEqual(['Link']);
    expect(headers('/views')).toEqual([]);
  });

  test('tells the requests of runners, which have a credential of their own, from all others', async () => {
    const document = await read();
    const paths = document['paths'] as Record<string, Record<string, { security?: object[] }>>;
    const isOfRunners = (ways: object[] = []): boolean => ways.some((way) => 'runner' in way);
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods)
        .filter(({ security }) => isOfRunners(security))
        .map(({ security }) => `${path} ${JSON.stringify(security)}`),
    );
    const wanted = endpoints
      .filter(({ endpoint: { permission } }) => isOfRunner(permission))
      .map(({ endpoint: { path, permission } }) => {
        const ofTask = permission === 'runner_of_task' ? ',{"task":[]}' : '';
        return `${path.replace(/:(\w+)/g, '{$1}')} [{"runner":[]}${ofTask}]`;
      });
    expect(wanted).toHaveLength(8);
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test('marks what is there for clients of other versions, in bodies and in answers', async () => {
    const document = await read();
    const found: string[] = [];
    const walk = (value: unknown, name: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ((value as JsonObject)['x-compatible'] === true) found.push(name);
      for (const [key, inner] of Object.entries(value)) walk(inner, key);
    };
    const operation = (path: string, method: string): unknown =>
      (document['paths'] as Record<string, JsonObject>)[path]?.[method];
    const marked = (path: string, method: string): string[] => {
      found.length = 0;
      walk(operation(path, method), '');
      return [...new Set(found)].toSorted();
    };
    const project = '/api/project/{project_id}';
    expect(marked(`${project}/templates/{template_id}`, 'get')).toEqual([
      'runner_tag',
      // Of its last task.
      'secret',
      'task_params',
      'used_runner_id',
    ]);
    expect(marked(`${project}/schedules/{schedule_id}`, 'get')).toEqual(['params']);
    expect(marked('/api/runners/{runner_id}', 'get')).toEqual([
      'active',
      'cleaning_requested',
      'is_default',
      'registered',
      'status',
      'touched',
      'webhook',
    ]);
    expect(marked('/api/runners/{runner_id}', 'put')).toEqual(['active', 'webhook']);
    expect(marked('/api/runners/{runner_id}', 'patch')).toEqual(['active', 'webhook']);
    expect(marked(`${project}/keys/{key_id}`, 'get')).toEqual(['override_secret', 'string']);
    expect(marked(`${project}/repositories/{repository_id}`, 'get')).toEqual([]);
  });

  test('describes ids and limits as whole numbers from 1, without the digits of an address', async () => {
    const document = await read();
    const found = new Map<string, unknown>();
    for (const { parameters } of operationsOf(document)) {
      for (const { name, schema } of parameters) {
        if (name.endsWith('_id') || ['before', 'from', 'limit'].includes(name)) {
          found.set(`${name} ${JSON.stringify(schema)}`, schema);
        }
      }
    }
    // Those of apps, providers, host keys and tokens are texts, and the times of `from` too.
    const numbers = [...found].filter(([, schema]) => !JSON.stringify(schema).includes('"string"'));
    expect(numbers.length).toBeGreaterThan(25);
    for (const [name, schema] of numbers) {
      expect([name, schema]).toMatchObject([name, { type: 'integer', minimum: 1 }]);
    }
    expect(found.has('limit {"type":"integer","minimum":1,"maximum":1000}')).toBe(true);
    expect(found.has('key_id {"type":"integer","minimum":1,"maximum":999999999999999}')).toBe(true);
  });

  test('names the status of each refusal with its codes', async () => {
    const document = await read();
    const operation = operationsOf(document).find((one) => one.operationId === 'keys.update');
    const codes = Object.entries(operation?.responses ?? {}).flatMap(([status, { content }]) => {
      const { allOf = [] } = content?.['application/json']?.schema ?? {};
      return allOf.flatMap(({ properties }) =>
        (properties?.code.enum ?? []).map((code) => `${status} ${code}`),
      );
    });
    expect(codes).toEqual([
      '400 request.malformed_url',
      '400 request.invalid',
      '400 request.malformed_json',
      '400 request.too_deep',
      '400 request.too_many_values',
      '400 request.body_missing',
      '401 session.required',
      '401 session.verification_required',
      '403 session.second_factor_setup',
      '403 permission.token_scope',
      '403 permission.denied',
      '403 request.cross_site',
      '404 project.not_found',
      '404 key.not_found',
      '408 request.incomplete',
      '409 request.stale',
      '409 key.name_taken',
      '413 request.too_large',
      '415 request.unsupported_media_type',
      '421 request.unknown_host',
      '431 request.headers_too_large',
      '500 request.internal',
      '503 request.unavailable',
      '503 system.database_unavailable',
      '507 system.disk_full',
      '507 system.database_full',
    ]);
  });

  test('describes a PATCH with all fields that it accepts, and with no others', async () => {
    const document = await read();
    const operation = operationsOf(document).find((one) => one.operationId === 'views.patch');
    const { content } = operation?.requestBody ?? { content: {} };
    for (const type of ['application/json', 'application/merge-patch+json']) {
      expect(content[type]?.schema).toEqual({
        type: 'object',
        properties: {
          id: { readOnly: true },
          project_id: { readOnly: true },
          view_id: { readOnly: true },
          title: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] },
          position: expect.anything() as unknown,
        },
        additionalProperties: false,
      });
    }
  });

  test('describes bodies as JSON, except those of webhooks', async () => {
    const document = await read();
    const others = operationsOf(document).filter(({ requestBody }) => {
      const types = Object.keys(requestBody?.content ?? {});
      return types.length > 0 && !types.includes('application/json');
    });
    expect(others.map(({ operationId }) => operationId)).toEqual(['webhooks.receive']);
  });

  test('names each parameter of a path once', async () => {
    const document = await read();
    const paths = document['paths'] as Record<string, Record<string, JsonObject>>;
    for (const [path, methods] of Object.entries(paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
      for (const operation of Object.values(methods)) {
        const parameters = operation['parameters'] as { name: string; in: string }[];
        const named = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
        expect(named.toSorted()).toEqual(wanted.toSorted());
      }
    }
  });
});
