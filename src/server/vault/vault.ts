// Seals secrets with the master key and opens them. No other file decrypts.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fail } from '../lib/errors.ts';
import type { MasterKey, MasterKeys } from './master-keys.ts';

/** The place of a sealed text, which opens in no other place. */
export interface SealedPlace {
  /** Column and id identify the text in error messages. */
  column: string;
  row: number | string;
  /** Additional authenticated data (AAD), unique for each place. */
  binding: string;
  /** The AAD of texts before `v3`. */
  olderBinding: string;
}

export interface Vault {
  seal: (plain: string, place: SealedPlace) => string;
  /** Refuses a text of another key or place. */
  open: (sealed: string, place: SealedPlace) => string;
  /** Reseals in the newest form with the newest key; null if the text has both already. */
  reseal: (sealed: string, place: SealedPlace) => string | null;
}

// `v3:<id of the key>:<base64>`, bound to table, column and row. `v2` has the same parts, and
// `v1:<base64>` names no key; these two are bound to project and purpose only.
const version = 'v3';
const nonceBytes = 12;
const tagBytes = 16;

/** The prefix of texts that are bound to their row. */
export const boundPrefix = `${version}:`;

/** The prefix of texts that are bound to their row and sealed with this key. */
export const prefixOf = ({ id }: MasterKey): string => `${boundPrefix}${id}:`;

export function createVault(keys: MasterKeys): Vault {
  const seal: Vault['seal'] = (plain, { binding }) => {
    const [newest] = keys();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', newest.key, nonce);
    cipher.setAAD(Buffer.from(binding));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    return prefixOf(newest) + sealed;
  };
  const open: Vault['open'] = (sealed, place) => {
    try {
      return openText(keys(), sealed, place);
    } catch {
      throw fail('secret.not_opened', { column: place.column, row: place.row });
    }
  };
  return {
    seal,
    open,
    reseal(sealed, place) {
      return sealed.startsWith(prefixOf(keys()[0])) ? null : seal(open(sealed, place), place);
    },
  };
}

function openText(keys: MasterKey[], sealed: string, place: SealedPlace): string {
  const [form = '', ...rest] = sealed.split(':');
  if (form !== version && form !== 'v2') return openWithAny(keys, rest.join(':'), place);
  const [id, text = ''] = rest;
  const known = keys.find((key) => key.id === id);
  if (!known) throw new Error('no such master key');
  return openWith(known, text, form === version ? place.binding : place.olderBinding);
}

/** `v1` texts do not name their key, which was the first of all keys. */
function openWithAny(keys: MasterKey[], text: string, { olderBinding }: SealedPlace): string {
  for (const key of keys.slice(1).toReversed()) {
    try {
      return openWith(key, text, olderBinding);
    } catch {}
  }
  const [newest] = keys;
  if (!newest) throw new Error('There is no master key.');
  return openWith(newest, text, olderBinding);
}

function openWith({ key }: MasterKey, text: string, binding: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const plain = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(plain), decipher.final()]).toString('utf8');
}
