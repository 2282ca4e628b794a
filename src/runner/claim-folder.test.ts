import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../test/helpers/seed.ts';
import { claimFolder } from './claim-folder.ts';

const paths = ['terraform/1/1/state/terraform.tfstate', 'known-hosts/1', 'homes/1/x', 'facts/1/h'];

async function setUp() {
  const dataDir = await folder();
  const warned: object[] = [];
  const log = { warn: (fields: object) => void warned.push(fields) };
  return {
    warned,
    claim: (installation: string | null, isNew = false) =>
      claimFolder({ dataDir }, { installation, isNew }, log),
    keep: async (text: string) => {
      for (const path of paths) {
        await mkdir(join(dataDir, dirname(path)), { recursive: true });
        await writeFile(join(dataDir, path), text);
      }
    },
    kept: () =>
      Promise.all(paths.map((path) => readFile(join(dataDir, path), 'utf8').catch(() => null))),
  };
}

const all = (text: string | null) => paths.map(() => text);

test('what an installation has kept is its own, and back when it works here again', async () => {
  const { claim, keep, kept, warned } = await setUp();
  await keep('of the first');
  // From an earlier version, which noted no installation.
  await claim('first');
  expect([await kept(), warned]).toEqual([all('of the first'), []]);
  await claim('second');
  expect([await kept(), warned.length]).toEqual([all(null), 1]);
  await keep('of the second');
  await claim('second');
  expect(await kept()).toEqual(all('of the second'));
  await claim('first');
  expect(await kept()).toEqual(all('of the first'));
  await claim('second');
  expect(await kept()).toEqual(all('of the second'));
});

test('a runner that has just registered uses nothing that an unknown installation has left', async () => {
  const { claim, keep, kept } = await setUp();
  await keep('of somebody');
  await claim('first', true);
  expect(await kept()).toEqual(all(null));
});

test('a server without an id changes nothing', async () => {
  const { claim, keep, kept } = await setUp();
  await keep('of somebody');
  await claim(null, true);
  expect(await kept()).toEqual(all('of somebody'));
});
