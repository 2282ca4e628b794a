// Separates what a runner keeps by installation, since ids of projects and templates are unique in one only: in
// a data folder that served another installation, its states, pinned keys, homes and facts are moved to
// `installations/<id>/` before any task, and moved back when the runner serves that installation again.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from './workspace/run-files.ts';
import type { RunnerConfig } from './config/runner-config.ts';
import type { Log } from '../node/log/log.ts';

const keptNames = ['terraform', 'known-hosts', 'homes', 'facts'];

export interface Claim {
  /** The id of the installation; null: the server's version has none. */
  installation: string | null;
  /** Whether this runner has just registered, so that kept data without an id belong to an unknown installation. */
  isNew?: boolean;
}

export async function claimFolder(
  { dataDir }: Pick<RunnerConfig, 'dataDir'>,
  { installation, isNew = false }: Claim,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (installation === null) return;
  const note = join(dataDir, 'installation');
  const noted = (await readFile(note, 'utf8').catch(() => '')).trim();
  const before = noted === '' && isNew ? `unknown-before-${Date.now()}` : noted;
  if (before !== '' && before !== installation) {
    const folder = placeOf(dataDir, before);
    if (await moveAll(dataDir, folder, true)) {
      log.warn({ folder }, 'data of another installation moved aside');
    }
  }
  // Written before the next step: otherwise a crash would mix the folders of both.
  if (noted !== installation) {
    await writeFile(`${note}.new`, `${installation}\n`, { mode: 0o600 });
    await rename(`${note}.new`, note);
  }
  const own = placeOf(dataDir, installation);
  if (await isThere(own)) await moveAll(own, dataDir, false);
}

const placeOf = (dataDir: string, installation: string): string =>
  join(dataDir, 'installations', installation);

/** Moves the kept folders that are not at their destination yet; true: any was not empty. */
async function moveAll(from: string, to: string, isOut: boolean): Promise<boolean> {
  let hasMoved = false;
  // Users of tasks pass through this folder.
  await mkdir(to, { recursive: true, mode: 0o711 });
  for (const name of keptNames) {
    const content = await readdir(join(from, name)).catch(() => []);
    if (content.length === 0) continue;
    const target = await freeName(to, name, isOut);
    if (target === null) continue;
    await rm(target, { recursive: true, force: true });
    await rename(join(from, name), target);
    hasMoved = true;
  }
  return hasMoved;
}

/** Null: the destination exists and must not be replaced. */
async function freeName(to: string, name: string, isOut: boolean): Promise<string | null> {
  const isEmpty = (await readdir(join(to, name)).catch(() => [])).length === 0;
  if (isEmpty) return join(to, name);
  return isOut ? join(to, `${name}-${Date.now()}`) : null;
}
