// Only on SQLite: the description of the API is the same on every engine.

import { describe, expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { testApp } from './helpers/app.ts';

interface JsonObject {
  [name: string]: unknown;
}

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
      expect(Object.keys(operation['responses'] as object)).toContain('default');
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
      .filter(({ endpoint: { permission } }) => permission === 'runner')
      .map(({ endpoint: { path } }) => `${path.replace(/:(\w+)/g, '{$1}')} [{"runner":[]}]`);
    expect(wanted).toHaveLength(6);
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
    ]);
    expect(marked(`${project}/schedules/{schedule_id}`, 'get')).toEqual(['params']);
    expect(marked('/api/runners/{runner_id}', 'get')).toEqual([
      'active',
      'cleaning_requested',
      'registered',
      'touched',
      'webhook',
    ]);
    expect(marked('/api/runners/{runner_id}', 'put')).toEqual(['active', 'webhook']);
    expect(marked('/api/runners/{runner_id}', 'patch')).toEqual(['active', 'webhook']);
    expect(marked(`${project}/keys/{key_id}`, 'get')).toEqual(['override_secret', 'string']);
    expect(marked(`${project}/repositories/{repository_id}`, 'get')).toEqual([]);
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
