// Processes that serve the programs of a run, such as an ssh-agent. An ssh-agent protects its environment, and with it
// the mark of the run, from being read, so each helper is recorded in the run's folder.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, isAlive, parseIdentity } from './identity.ts';

const prefix = 'helper-';

export async function noteHelper(dir: string, name: string, pid: number): Promise<void> {
  const identity = identityOf(pid);
  if (identity !== null) await writeFile(join(dir, prefix + name), identity);
}

/** Kills the helpers recorded in the folder of a run, or those whose names begin with `begin`. */
export async function endHelpers(dir: string, begin = ''): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  for (const entry of names.filter((one) => one.startsWith(prefix + begin))) {
    const path = join(dir, entry);
    const identity = parseIdentity(await readFile(path, 'utf8').catch(() => ''));
    if (identity && isAlive(identity)) process.kill(identity.pid, 'SIGKILL');
    await rm(path, { force: true });
  }
}
