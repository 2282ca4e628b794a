import { expect, test } from 'vitest';
import { endpoint } from './endpoint.ts';
import { pathOf } from './path.ts';

const one = { path: '/api/project/:project_id/keys/:key_id' };

test('fills in the params, each encoded', () => {
  const params = { project_id: 1, key_id: 'a/b?c' };
  expect(pathOf(one, { params })).toBe('/api/project/1/keys/a%2Fb%3Fc');
});

test('adds the query, without what is undefined', () => {
  const params = { project_id: 1, key_id: 2 };
  const query = { q: 'a b&c', before: undefined, own: false, limit: 5 };
  expect(pathOf(one, { params, query })).toBe(
    '/api/project/1/keys/2?q=a%20b%26c&own=false&limit=5',
  );
});

test('refuses to leave out a param', () => {
  expect(() => pathOf(one, { params: { project_id: 1 } })).toThrow('"key_id" is missing');
});

test('refuses to define an endpoint with a param of an unknown kind', () => {
  const details = { permission: 'user', summary: 'X' } as const;
  expect(() => endpoint.get('/api/x/:color', details)).toThrow('the kind of "color" is missing');
});
