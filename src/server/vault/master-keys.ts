// The master keys: the one that seals, and during a rotation the previous one too. They are
// settings, or stand in a file of the data folder, one on each line, the newest first.

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../node/config-error.ts';
import type { Config } from '../config/config.ts';

export interface MasterKey {
  /** Stands in the texts that the key has sealed; reveals nothing about the key. */
  id: string;
  key: Buffer;
}

/** Returns the current keys, the newest first; there is always one. */
export type MasterKeys = () => [MasterKey, ...MasterKey[]];

const bytes = 32;

export function toMasterKey(text: string): MasterKey | null {
  const key = Buffer.from(text, 'base64');
  const id = createHash('sha256').update('id of a master key').update(key).digest('hex');
  return key.length === bytes ? { id: id.slice(0, 12), key } : null;
}

const pathOf = (config: Config): string => join(config.dataDir, 'master.key');

/** `isNew` says that nothing has been sealed yet, so that a key may be made. */
export function openMasterKeys(config: Config, isNew: boolean): MasterKeys {
  const given = [config.masterKey, config.oldMasterKey].flatMap((text) =>
    text ? (toMasterKey(text) ?? []) : [],
  );
  const [first, ...rest] = given;
  if (first) return () => [first, ...rest];
  const path = pathOf(config);
  if (!existsSync(path)) {
    if (!isNew) throw missingKey(path);
    // With `wx`, of two servers that start at once only one makes a key.
    writeSynced(path, 'wx', [randomBytes(bytes)]);
  }
  let known = readKeys(path);
  let seen = markOf(path);
  return () => {
    // Another process may have begun or ended a rotation, so the file is read again when it has
    // changed.
    const mark = markOf(path);
    if (mark !== seen && mark !== null) [known, seen] = [readKeys(path), mark];
    return known;
  };
}

function markOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.ino} ${stat.mtimeNs}` : null;
}

function readKeys(path: string): [MasterKey, ...MasterKey[]] {
  const lines = readText(path).trim().split('\n');
  const [first, ...rest] = lines.map((line) => toMasterKey(line.trim()));
  if (first && !rest.includes(null)) return [first, ...rest.filter((key) => key !== null)];
  throw new ConfigError(`${path} must hold 32 bytes as base64. Put the right key back there.`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError(
      `The master key cannot be read from ${path} (${(cause as Error).message}). See that it is a file of the user of the server.`,
      { cause },
    );
  }
}

/** The keys as the file of the data folder has them, the newest first. */
export const keyLines = (keys: MasterKeys): string =>
  keys()
    .map(({ key }) => `${key.toString('base64')}\n`)
    .join('');

function writeSynced(path: string, flag: 'w' | 'wx', keys: Buffer[]): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeSync(file, keys.map((key) => `${key.toString('base64')}\n`).join(''));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function replaceKeys(config: Config, keys: Buffer[]): void {
  const path = pathOf(config);
  writeSynced(`${path}.new`, 'w', keys);
  renameSync(`${path}.new`, path);
}

/** Writes a new key before the current one. False if a rotation has begun already. */
export function addMasterKey(config: Config, keys: MasterKeys): boolean {
  const now = keys();
  if (now.length > 1) return false;
  replaceKeys(config, [randomBytes(bytes), now[0].key]);
  return true;
}

/** Removes all keys but the newest. */
export function dropOldKeys(config: Config, keys: MasterKeys): void {
  replaceKeys(config, [keys()[0].key]);
}

const missingKey = (path: string): ConfigError =>
  new ConfigError(
    `The master key is missing: ${path} is not there, but this database holds secrets that were ` +
      'sealed with it. Put the file back from its backup, or set SIGNALBOX_MASTER_KEY.',
  );

export const wrongKey = (): ConfigError =>
  new ConfigError(
    'The master key is not the one that this database was sealed with. Put the right key into ' +
      'SIGNALBOX_MASTER_KEY or into master.key of the data folder.',
  );
