// Seals secrets under the master key and opens them. The only file that decrypts.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from '../config.ts';

export interface Vault {
  /** `purpose` binds the text to its place: what is sealed for one cannot be opened as another. */
  seal: (plain: string, purpose: string) => string;
  /** Throws when the text was sealed under another key or for another purpose. */
  open: (sealed: string, purpose: string) => string;
}

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

export function createVault(masterKey: Buffer): Vault {
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${version}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`;
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', masterKey, bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = bytes.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}

/** The master key: given by the configuration, or from the data folder, made there once. */
export function loadMasterKey(config: Config): Buffer {
  if (config.masterKey) return Buffer.from(config.masterKey, 'base64');
  const path = join(config.dataDir, 'master.key');
  if (!existsSync(path)) writeOnce(path, `${randomBytes(32).toString('base64')}\n`);
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${path} must hold 32 bytes as base64. Put the right key back there.`);
}

function writeOnce(path: string, text: string): void {
  // `wx`: two servers that start at once must not each make a key.
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export const wrongKey = (): ConfigError =>
  new ConfigError(
    'The master key is not the one that this database was sealed with. Put the right key into ' +
      'SIGNALBOX_MASTER_KEY or into master.key of the data folder.',
  );
