// Seals secrets under the master key and opens them. The only file that decrypts.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey, MasterKeys } from './master-keys.ts';

export interface Vault {
  /** `purpose` binds the text to its place: what is sealed for one cannot be opened as another. */
  seal: (plain: string, purpose: string) => string;
  /** Throws when the text was sealed under another key or for another purpose. */
  open: (sealed: string, purpose: string) => string;
  /** The same sealed with the newest key; null: it is already. */
  reseal: (sealed: string, purpose: string) => string | null;
}

// `v2:<id of the key>:<base64>`; before keys could be rotated, `v1:<base64>`.
const version = 'v2';
const nonceBytes = 12;
const tagBytes = 16;

export function createVault(keys: MasterKeys): Vault {
  const seal: Vault['seal'] = (plain, purpose) => {
    const [{ id, key }] = keys();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    return `${version}:${id}:${sealed}`;
  };
  const open: Vault['open'] = (sealed, purpose) => {
    const [format, ...rest] = sealed.split(':');
    if (format !== version) return openWithAny(keys(), rest.join(':'), purpose);
    const [id, text = ''] = rest;
    const known = keys().find((key) => key.id === id);
    if (!known) throw new Error('This was sealed with a master key that is not known.');
    return openWith(known, text, purpose);
  };
  return {
    seal,
    open,
    reseal(sealed, purpose) {
      if (sealed.startsWith(`${version}:${keys()[0].id}:`)) return null;
      return seal(open(sealed, purpose), purpose);
    },
  };
}

/** The old format does not say which key it was; it was the first one of all. */
function openWithAny(keys: MasterKey[], text: string, purpose: string): string {
  for (const key of keys.slice(1).toReversed()) {
    try {
      return openWith(key, text, purpose);
    } catch {
      // Another one, then.
    }
  }
  const [newest] = keys;
  if (!newest) throw new Error('There is no master key.');
  return openWith(newest, text, purpose);
}

function openWith({ key }: MasterKey, text: string, purpose: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const plain = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(plain), decipher.final()]).toString('utf8');
}
