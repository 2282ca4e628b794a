// Removes images that tasks have pulled and no task has used lately. Each has a file in the data folder with its name,
// whose modification time is that of the last use. Images that others have pulled have none.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../config/runner-config.ts';
import { askEngine, callEngine, type Engine } from './engine.ts';

const folderOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string => join(dataDir, 'images');

const fileOf = (config: Pick<RunnerConfig, 'dataDir'>, image: string): string =>
  join(folderOf(config), createHash('sha256').update(image).digest('hex').slice(0, 32));

export async function notePulled(config: RunnerConfig, image: string): Promise<void> {
  await mkdir(folderOf(config), { recursive: true, mode: 0o700 });
  await writeFile(fileOf(config, image), image, { mode: 0o600 });
}

/** Records the use of an image, if a task has pulled it. */
export async function noteUsed(config: RunnerConfig, image: string): Promise<void> {
  const now = new Date();
  await utimes(fileOf(config, image), now, now).catch(() => undefined);
}

interface KeptImage {
  image: string;
  file: string;
  usedMs: number;
  bytes: number;
}

/** Removes the images that were used last, until the others fit into the limit. Those in use stay. */
export async function sweepImages(config: RunnerConfig, engine: Engine): Promise<void> {
  const most = config.containers.keptImageBytes;
  if (most === 0) return;
  const kept = (await listKept(config, engine)).toSorted((a, b) => b.usedMs - a.usedMs);
  let sum = 0;
  for (const { image, file, bytes } of kept) {
    sum += bytes;
    if (sum <= most) continue;
    const { exitCode } = await callEngine(engine, ['rmi', '--', image]);
    if (exitCode === 0) await rm(file, { force: true });
  }
}

async function listKept(config: RunnerConfig, engine: Engine): Promise<KeptImage[]> {
  const kept: KeptImage[] = [];
  for (const name of await readdir(folderOf(config)).catch(() => [])) {
    const file = join(folderOf(config), name);
    const image = await readFile(file, 'utf8');
    const found = await askEngine(engine, ['image', 'inspect', '--', image]);
    const [{ Size: bytes = null } = {}] = (found ?? []) as { Size?: number }[];
    // Somebody else has removed it.
    if (bytes === null) await rm(file, { force: true });
    else kept.push({ image, file, usedMs: (await stat(file)).mtimeMs, bytes });
  }
  return kept;
}
