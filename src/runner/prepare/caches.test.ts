import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../test/helpers/seed.ts';
import { markUsed, sweepCaches } from './caches.ts';

test('what no run has asked for in a month leaves the caches', async () => {
  const dataDir = await folder();
  const past = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  const names = [
    'galaxy/old',
    'galaxy/used',
    'venvs/old',
    'environments/old',
    'facts/1',
    'venvs/new',
  ];
  for (const name of names) await mkdir(join(dataDir, name, 'files'), { recursive: true });
  for (const name of names.slice(0, 5)) await utimes(join(dataDir, name), past, past);
  await markUsed(join(dataDir, 'galaxy/used'));
  await sweepCaches({ dataDir });
  const left = ['galaxy', 'venvs', 'environments', 'facts'].map((cache) =>
    readdir(join(dataDir, cache)),
  );
  expect(await Promise.all(left)).toEqual([['used'], ['new'], [], []]);
});
