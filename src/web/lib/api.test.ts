import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { type Key, keys } from '#shared/api/keys.ts';
import { request, revisionOf } from './api.ts';
import { query } from './query.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Replies to each request with the next reading: a key with this name and revision. */
function serverAnswers(...readings: { name: string; revision: string }[]): void {
  vi.stubGlobal('fetch', () => {
    const reading = readings.shift();
    if (!reading) throw new Error('No more requests were expected');
    const { name, revision } = reading;
    const headers = { 'content-type': 'application/json', etag: revision };
    return Promise.resolve(new Response(JSON.stringify({ id: 3, name }), { headers }));
  });
}

const args = { params: { project_id: 1, key_id: 3 } };

test('a thing keeps the revision that it was read with while it is read again', async () => {
  serverAnswers({ name: 'old', revision: '"r1"' }, { name: 'new', revision: '"r2"' });
  const shown: Key = await request(keys.one, args);
  const later: Key = await request(keys.one, args);
  expect([shown.name, revisionOf(shown)]).toEqual(['old', '"r1"']);
  expect([later.name, revisionOf(later)]).toEqual(['new', '"r2"']);
});

test('a thing that reads the same as before has its new revision in the cache', async () => {
  serverAnswers({ name: 'same', revision: '"r1"' }, { name: 'same', revision: '"r2"' });
  const client = new QueryClient();
  const options = { ...query(keys.one, args), staleTime: 0 };
  await client.fetchQuery(options);
  await client.fetchQuery(options);
  expect(revisionOf(client.getQueryData(options.queryKey) ?? {})).toBe('"r2"');
});

test('an answer without a revision is what the server sent', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([{ id: 3, name: 'deploy' }])));
  const list = await request(keys.list, { params: { project_id: 1 } });
  expect(list).toEqual([{ id: 3, name: 'deploy' }]);
});
