// Holds the first template of the demo project in its middle, so that tests can look at a running
// task on a slow machine too.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '#shared/api/repositories.ts';
import type { Demo } from './demo.ts';
import { commitFiles } from './seed.ts';

const playbook = 'hello.yml';
let count = 0;

/** Tasks that start from now on wait until the answered function is called. */
export async function holdDemo({ id, server, call, api }: Demo): Promise<() => Promise<void>> {
  const [repository] = await call<Repository[]>('GET', api('repositories'));
  const folder = repository?.git_url ?? '';
  count += 1;
  const train = join(server.dataDir, `train-${id}-${count}`);
  const text = await readFile(join(folder, playbook), 'utf8');
  const held = text.replace(/(wait_for:\n\s*)(?:timeout: 1|path: .*)\n/, `$1path: ${train}\n`);
  if (held === text) throw new Error('The demo does not wait for a train any more.');
  await commitFiles(folder, { [playbook]: held });
  return () => writeFile(train, '');
}
