// Rules for every endpoint and every error code, without a server.

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type NamedEndpoint, endpoints } from '#shared/api/index.ts';
import { errors, statusOf } from '#shared/catalogue/errors.ts';
import { fieldErrors } from '#shared/catalogue/field-errors.ts';
import { fillIn } from '#shared/catalogue/catalogue.ts';
import { isRight } from '#shared/rights.ts';
import { canMove, isFinished, sourcesOf, taskStatuses } from '#shared/task-status.ts';

const pathParams = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

const keysOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape).sort() : [];

const isEmpty = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;

const repeated = (names: string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

test('no two endpoints share a name', () => {
  expect(repeated(endpoints.map(({ name }) => name))).toEqual([]);
});

test('no two endpoints share method and path, whatever their parameters are called', () => {
  const places = endpoints.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/:\w+/g, ':')}`,
  );
  expect(repeated(places)).toEqual([]);
});

describe.each(endpoints)('$name', ({ endpoint }: NamedEndpoint) => {
  const { method, path, permission, params, query, body, reply, status } = endpoint;

  test('is named, placed and summed up in the usual way', () => {
    expect(path).toMatch(/^\/api(\/(:[a-z]+(_[a-z]+)*|[a-z]+([-_.][a-z]+)*))+$/);
    expect(endpoint.summary).toMatch(/^[A-Z].*[^.\s]$/);
  });

  test('describes exactly the parameters of its path', () => {
    expect(keysOf(params)).toEqual(pathParams(path).sort());
  });

  test('asks for membership exactly when it lies in a project', () => {
    const asksMembership = permission === 'member' || isRight(permission);
    expect(asksMembership).toBe(path.startsWith('/api/project/:project_id'));
  });

  test('changes nothing when it reads, and asks nothing in the query when it changes', () => {
    expect(isEmpty(method === 'GET' ? body : query)).toBe(true);
  });

  test('answers 204 exactly when it has no reply', () => {
    expect(status === 204).toBe(reply instanceof z.ZodVoid);
  });

  test('can be printed as JSON schema', () => {
    const replies = reply instanceof z.ZodVoid ? [] : [reply];
    const printed = [
      ...[params, query, body].map((schema) => z.toJSONSchema(schema, { io: 'input' })),
      ...replies.map((schema) => z.toJSONSchema(schema, { io: 'output' })),
    ];
    expect(printed.every((schema) => '$schema' in schema)).toBe(true);
  });

  test('gives a revision wherever it asks for one', () => {
    if (!endpoint.versioned || method === 'GET') return;
    const reader = endpoints.find((other) => {
      const { method: otherMethod, path: otherPath } = other.endpoint;
      return otherMethod === 'GET' && otherPath === path;
    });
    expect(reader?.endpoint.versioned).toBe(true);
  });
});

describe('error codes', () => {
  test.each(errors.codes)('%s is noun.reason, with a status and a sentence', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(statusOf(code)).toBeGreaterThanOrEqual(400);
    expect(statusOf(code)).toBeLessThan(600);
    expect(errors.text(code)).toMatch(/^["A-Z{]/);
    expect(errors.has(code)).toBe(true);
  });

  test.each(fieldErrors.codes)('%s is noun.reason, with words for people', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(fieldErrors.text(code)).toMatch(/^["A-Z{]/);
    expect(fieldErrors.has(code)).toBe(true);
  });

  test('are not mistaken for what every object has', () => {
    expect(errors.has('toString')).toBe(false);
    expect(fieldErrors.has('constructor')).toBe(false);
  });

  test('have their parameters filled in, and leave unknown ones visible', () => {
    expect(fillIn('{{a}} of {{b}}', { a: 1, b: 'two' })).toBe('1 of two');
    expect(fillIn('{{a}} of {{b}}', { a: 1 })).toBe('1 of {{b}}');
    expect(fillIn('{{a}}', { a: '$&{{a}}' })).toBe('$&{{a}}');
  });
});

describe('task statuses', () => {
  test('lead from waiting to every other one', () => {
    const reached = new Set(['waiting']);
    for (const from of taskStatuses) {
      if (reached.has(from)) {
        for (const to of taskStatuses) if (canMove(from, to)) reached.add(to);
      }
    }
    expect([...reached].sort()).toEqual([...taskStatuses].sort());
  });

  test('let nothing leave a finished one, and a stop reach every other one', () => {
    for (const status of taskStatuses) {
      const hasWayOut = taskStatuses.some((to) => canMove(status, to));
      expect(hasWayOut).toBe(!isFinished(status));
      const isStoppable = canMove(status, 'stopping') || canMove(status, 'stopped');
      expect(isStoppable).toBe(!isFinished(status));
    }
    expect(sourcesOf('success')).toEqual(['running']);
  });
});
