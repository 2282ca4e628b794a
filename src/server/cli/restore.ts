// `signalbox restore`: restores a whole installation from a backup.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { ConfigError } from '../../node/config-error.ts';
import { createLog } from '../../node/log/log.ts';
import { restoreBackup, type Restored } from '../administration/installation-backup/restore.ts';
import { loadWholeConfig } from '../config/config.ts';
import { isUnreachable } from '../db/unreachable.ts';
import { unreachable } from '../open-context.ts';
import { print, UsageError, type Surroundings } from './surroundings.ts';

export interface RestoreFlags {
  from?: string;
  key?: string | null;
  replace?: boolean;
  drill?: boolean;
}

/** Returns the exit code. */
export async function restore(
  at: Surroundings,
  { from, key: keyFile = null, replace = false, drill = false }: RestoreFlags,
): Promise<number> {
  if (from === undefined) {
    throw new UsageError('Say where the backup is: --from FILE, or --from - for standard input.');
  }
  const config = await loadWholeConfig(at.environment);
  if (config.remote) {
    throw new ConfigError('A remote runner has nothing to restore. Run this beside its server.');
  }
  const log = createLog(config.logLevel, at.errors);
  const source = await sourceOf(at, from);
  const begun = performance.now();
  const order = { config, log, source, keyFile, isReplacing: replace, isDrill: drill };
  const restored = await restoreBackup(order).catch((error: unknown) => {
    throw isUnreachable(error) ? unreachable(error) : error;
  });
  const seconds = (performance.now() - begun) / 1000;
  for (const line of reportOf(restored, { seconds, dataDir: config.dataDir, drill }))
    print(at, line);
  return 0;
}

async function sourceOf(at: Surroundings, from: string): Promise<Readable> {
  if (from === '-') return at.input;
  const file = resolve(from);
  const found = await stat(file).catch(() => null);
  if (!found) throw new ConfigError(`There is no file ${file}.`);
  if (!found.isFile()) throw new ConfigError(`${file} is no file. Name the backup itself.`);
  return createReadStream(file);
}

function reportOf(
  { manifest, files, aside, settings, hasWrittenKey, endedTasks }: Restored,
  { seconds, dataDir, drill }: { seconds: number; dataDir: string; drill: boolean },
): string[] {
  const { created, version, rows } = manifest;
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const places = [aside.folder, aside.schema && `the schema ${aside.schema}`].filter(Boolean);
  return [
    `Restored: the backup of ${created}, made by Signalbox ${version}.`,
    `${count.toLocaleString('en')} rows of ${Object.keys(rows).length} tables and ${files} files in ${seconds.toFixed(1)} s, checked.`,
    `Data folder: ${dataDir}`,
    hasWrittenKey
      ? 'The master key is in master.key there.'
      : 'The master key is the one of SIGNALBOX_MASTER_KEY.',
    `The settings of the backup are in ${settings}. Nothing applies them: compare them with those of this machine.`,
    ...(endedTasks > 0
      ? [`Tasks that had begun when the backup was made, and have failed now: ${endedTasks}.`]
      : []),
    ...(drill ? ['For a drill: all schedules are off, and no task or alert waits.'] : []),
    ...(places.length > 0 ? [`What was there before is in ${places.join(' and in ')}.`] : []),
    'Start the server now.',
  ];
}
