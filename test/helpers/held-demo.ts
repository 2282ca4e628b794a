// The first template of the demo project, held in its middle: what is looked at while it runs is
// there on a slow machine too.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Repository } from '#shared/api/repositories.ts';
import { callApi, type Console } from './console.ts';
import { commitFiles } from './seed.ts';

const playbook = 'hello.yml';
let count = 0;

/** Tasks that start from now on wait for the train until the answer is called. */
export async function holdDemo({ server }: Console, page: Page): Promise<() => Promise<void>> {
  const [repository] = await callApi<Repository[]>(page, 'get', '/api/project/1/repositories');
  const folder = repository?.git_url ?? '';
  count += 1;
  const train = join(server.dataDir, `train-${count}`);
  const text = await readFile(join(folder, playbook), 'utf8');
  const held = text.replace(/(wait_for:\n\s*)(?:timeout: 1|path: .*)\n/, `$1path: ${train}\n`);
  if (held === text) throw new Error('The demo does not wait for a train any more.');
  await commitFiles(folder, { [playbook]: held });
  return () => writeFile(train, '');
}
