// `signalbox backup`: backs up the whole installation, also while its server runs.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '../../node/config-error.ts';
import { environmentOfProgram, loadGivenSettings, loadWholeConfig } from '../config/config.ts';
import { isUnreachable } from '../db/unreachable.ts';
import { unreachable } from '../open-context.ts';
import {
  makeBackup,
  type MadeBackup,
  type Target,
} from '../administration/installation-backup/make-backup.ts';
import { printError, UsageError, type Surroundings } from './surroundings.ts';

export interface BackupFlags {
  to?: string;
  'key-to'?: string | null;
}

const whereTo =
  'Say where the backup goes: --to FOLDER, --to - for standard output, or a program after --.';

/** Returns the exit code. `program` is the command after `--`. */
export async function backUp(
  at: Surroundings,
  { to, 'key-to': keyFile = null }: BackupFlags,
  program: string[],
): Promise<number> {
  const config = await loadWholeConfig(at.environment);
  if (config.remote) {
    throw new ConfigError('A remote runner has nothing to back up. Run this beside its server.');
  }
  const target = await targetOf(at, to, program);
  const settings = await loadGivenSettings(at.environment);
  const begun = performance.now();
  const made = await makeBackup({ config, settings, target, keyFile }).catch((error: unknown) => {
    throw isUnreachable(error) ? unreachable(error) : error;
  });
  const seconds = (performance.now() - begun) / 1000;
  // Standard output may be the backup itself.
  const say = (text: string): void => {
    if ('stream' in target) printError(at, text);
    else at.output.write(`${text}\n`);
  };
  for (const line of reportOf(made, seconds, keyFile)) say(line);
  return 0;
}

async function targetOf(
  at: Surroundings,
  to: string | undefined,
  program: string[],
): Promise<Target> {
  if ((to === undefined) === (program.length === 0)) throw new UsageError(whereTo);
  if (program.length > 0) return { program, environment: environmentOfProgram(at.environment) };
  if (to === '-') {
    const stream = at.bytes();
    if ('isTTY' in stream && stream.isTTY) {
      throw new UsageError('Standard output is a terminal. Send it to a program or into a file.');
    }
    return { stream };
  }
  const folder = resolve(to ?? '');
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new ConfigError(`There is no folder ${folder}. Make it first.`);
  return { folder };
}

function reportOf(
  { file, manifest, bytes, left }: MadeBackup,
  seconds: number,
  keyFile: string | null,
): string[] {
  const size = `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB in ${seconds.toFixed(1)} s`;
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  const what = `${rows.toLocaleString('en')} rows of ${Object.keys(manifest.rows).length} tables`;
  return [
    file === null ? `The backup was sent: ${size}, ${what}.` : `Backup: ${file}`,
    ...(file === null ? [] : [`${size}, ${what}, read back and checked.`]),
    ...left.map(({ path, why }) => `Not in the backup: ${path} (${why}).`),
    keyFile === null
      ? `The master key is not in it (${manifest.key_ids.join(', ')}), and without it no secret can be opened. Keep a copy of the key in another place: --key-to FILE writes one.`
      : `The master key is in ${keyFile}. Keep it apart from the backups.`,
  ];
}
