// Finds and checks the master key of a backup.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';
import type { Config } from '../../config/config.ts';
import { keyLines, toMasterKey, type MasterKeys } from '../../vault/master-keys.ts';
import type { Manifest } from './manifest.ts';

export interface RightKeys {
  keys: MasterKeys;
  /** The content of `master.key`; null: the server gets the key by its settings. */
  lines: string | null;
}

/** The keys that the backup needs: of `--key`, of the settings, or of the data folder. */
export function keysFor(
  { key_ids: wanted }: Manifest,
  config: Config,
  keyFile: string | null,
): RightKeys {
  const ofSettings = read([config.masterKey ?? '', config.oldMasterKey ?? '']);
  if (ofSettings.length > 0) {
    const keys = matching(ofSettings, wanted);
    if (!keys) throw wrongSetting(wanted);
    return { keys, lines: null };
  }
  const own = join(config.dataDir, 'master.key');
  const file = keyFile ?? (existsSync(own) ? own : null);
  if (file === null) throw noKey(wanted);
  const keys = matching(read(readText(file).split('\n')), wanted);
  if (!keys) throw wrongFile(file, wanted);
  return { keys, lines: keyLines(keys) };
}

type Keys = ReturnType<MasterKeys>;

const read = (lines: string[]): Keys[0][] =>
  lines.flatMap((line) => (line.trim() === '' ? [] : (toMasterKey(line.trim()) ?? [])));

/** The wanted keys in their order; null: one is missing. */
function matching(given: Keys[0][], wanted: string[]): MasterKeys | null {
  const [first, ...rest] = wanted.map((id) => given.find((key) => key.id === id));
  if (!first || rest.includes(undefined)) return null;
  const keys: Keys = [first, ...rest.filter((key) => key !== undefined)];
  return () => keys;
}

/** Whether `master.key` in the data folder already has these lines. */
export function isSameFile(dataDir: string, lines: string | null): boolean {
  const path = join(dataDir, 'master.key');
  return lines !== null && existsSync(path) && readText(path) === lines;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { message } = cause as Error;
    throw new ConfigError(`The master key cannot be read from ${file}: ${message}.`, { cause });
  }
}

const how =
  'Give the file that "signalbox backup --key-to" has written, or a copy of master.key: --key FILE. Or set SIGNALBOX_MASTER_KEY.';

const noKey = (ids: string[]): ConfigError =>
  new ConfigError(
    `The secrets in the backup are sealed with the master key ${ids.join(' and ')}. ${how}`,
  );

const wrongFile = (file: string, ids: string[]): ConfigError =>
  new ConfigError(
    `${file} does not hold the master key of the backup, which is ${ids.join(' and ')}. ${how}`,
  );

const wrongSetting = (ids: string[]): ConfigError =>
  new ConfigError(
    `SIGNALBOX_MASTER_KEY is not the master key of the backup, which is ${ids.join(' and ')}. Set the right one, or remove the setting and give --key FILE.`,
  );
