import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../../test/helpers/seed.ts';
import { dataFiles } from './data-files.ts';

test('a state on which a run works is in the backup, and named', async () => {
  const dataDir = await folder();
  const state = join(dataDir, 'terraform/1/2/state');
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'terraform.tfstate'), '{}');
  await writeFile(join(state, '.terraform.tfstate.lock.info'), '{}');
  const left: string[] = [];
  const paths: string[] = [];
  for await (const { path } of dataFiles(dataDir, (name) => void left.push(name))) paths.push(path);
  expect(left).toEqual(['terraform/1/2/state/.terraform.tfstate.lock.info']);
  expect(paths.at(-1)).toBe('data/terraform/1/2/state/terraform.tfstate');
});
