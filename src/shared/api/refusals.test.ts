import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';
import { refusalsOf } from './refusals.ts';

type Declared = Partial<Pick<Endpoint, 'method' | 'path' | 'permission' | 'query' | 'body'>> &
  Partial<Pick<Endpoint, 'rateLimit' | 'anyHost' | 'versioned'>>;

const statusesOf = (declared: Declared): number[] => [
  ...refusalsOf(
    endpoint({ method: 'GET', path: '/api/x', permission: 'user', summary: 'X', ...declared }),
  ).keys(),
];
// Of every request: the server itself may be unable to answer.
const always = [431, 500, 503, 507];
const rateLimit = { max: 1, windowSeconds: 1 };

test('an endpoint that anybody may call is refused only for its host and its rate', () => {
  expect(statusesOf({ permission: 'public', rateLimit })).toEqual([421, 429, ...always]);
  expect(statusesOf({ permission: 'public', rateLimit, anyHost: true })).toEqual([429, ...always]);
});

test('what an endpoint asks for decides with which statuses it refuses', () => {
  expect(statusesOf({})).toEqual([401, 403, 421, ...always]);
  expect(statusesOf({ query: z.object({ q: z.string() }) })).toEqual([
    400,
    401,
    403,
    421,
    ...always,
  ]);
  expect(statusesOf({ path: '/api/x/:key_id' })).toEqual([400, 401, 403, 404, 421, ...always]);
  const body = z.object({ name: z.string() });
  const posted = [400, 401, 403, 408, 413, 415, 421, ...always];
  expect(statusesOf({ method: 'POST', body })).toEqual(posted);
  // A body is read where none is needed, too.
  expect(statusesOf({ method: 'DELETE' })).toEqual(posted);
});

test('an endpoint with revisions refuses stale changes, and nothing when it is read', () => {
  expect(statusesOf({ versioned: true })).not.toContain(409);
  expect(statusesOf({ method: 'PUT', versioned: true })).toContain(409);
});

test('codes that an endpoint names are among the others of their status', () => {
  const refusals = refusalsOf(
    endpoint({
      method: 'GET',
      path: '/api/x',
      permission: 'admin',
      summary: 'X',
      refuses: ['user.own_account', 'user.last_admin'],
    }),
  );
  expect(refusals.get(403)).toEqual([
    'session.second_factor_setup',
    'permission.token_project',
    'permission.admin_required',
    'user.own_account',
  ]);
  expect(refusals.get(409)).toEqual(['user.last_admin']);
});
