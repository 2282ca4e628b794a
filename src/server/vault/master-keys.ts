// The master keys: the current one, and the previous one during a rotation. They are settings, or lines of
// a file in the data folder, the newest first.

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../node/config-error.ts';
import type { Config } from '../config/config.ts';

export interface MasterKey {
  /** Part of the texts that the key has sealed; reveals nothing about the key. */
  id: string;
  key: Buffer;
}

/** The current keys, the newest first. */
export type MasterKeys = () => [MasterKey, ...MasterKey[]];

const KEY_BYTES = 32;

export function toMasterKey(text: string): MasterKey | null {
  const key = Buffer.from(text, 'base64');
  const id = createHash('sha256').update('id of a master key').update(key).digest('hex');
  return key.length === KEY_BYTES ? { id: id.slice(0, 12), key } : null;
}

const pathOf = (config: Config): string => join(config.dataDir, 'master.key');

/** `isNew`: nothing has been sealed yet, so a key may be generated. */
export function openMasterKeys(config: Config, isNew: boolean): MasterKeys {
  const given = [config.masterKey, config.oldMasterKey].flatMap((text) =>
    text ? (toMasterKey(text) ?? []) : [],
  );
  const [first, ...rest] = given;
  if (first) return () => [first, ...rest];
  const path = pathOf(config);
  if (!existsSync(path)) {
    if (!isNew) throw missingKey(path);
    // With `wx`, only one of two servers that start at once creates the key.
    writeSynced(path, 'wx', [randomBytes(KEY_BYTES)]);
  }
  let known = readKeys(path);
  let seen = markOf(path);
  return () => {
    // Another process may have rotated the keys.
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

const linesOf = (keys: Buffer[]): string =>
  keys.map((key) => `${key.toString('base64')}\n`).join('');

/** The keys in the format of the file in the data folder. */
export const keyLines = (keys: MasterKeys): string => linesOf(keys().map(({ key }) => key));

function writeSynced(path: string, flag: 'w' | 'wx', keys: Buffer[]): void {
  writeFileSync(path, linesOf(keys), { flag, mode: 0o600, flush: true });
}

function replaceKeys(config: Config, keys: Buffer[]): void {
  const path = pathOf(config);
  writeSynced(`${path}.new`, 'w', keys);
  renameSync(`${path}.new`, path);
}

/** Returns false if a rotation is in progress. */
export function addMasterKey(config: Config, keys: MasterKeys): boolean {
  const now = keys();
  if (now.length > 1) return false;
  replaceKeys(config, [randomBytes(KEY_BYTES), now[0].key]);
  return true;
}

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
