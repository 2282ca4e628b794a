// Detects texts that are not a private key.

import type { FieldCode } from '../catalogue/field-errors.ts';

const firstLine = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/;
const lastLine = /^-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----$/;

const publicKey =
  /^(?:(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-\S{1,60} |-----BEGIN [A-Z0-9 ]{0,40}PUBLIC KEY-----|---- BEGIN SSH2 PUBLIC KEY)/;

/** Null: the format of a private key of OpenSSH or OpenSSL. */
export function wrongPrivateKey(given: string): FieldCode | null {
  const text = given.trim();
  if (text === '') return 'key.private_key_required';
  if (text.startsWith('PuTTY-User-Key-File-')) return 'key.private_key_putty';
  if (publicKey.test(text)) return 'key.private_key_public';
  if (!firstLine.test(text)) return 'key.private_key_invalid';
  return lastLine.test(text.slice(text.lastIndexOf('-----END '))) ? null : 'key.private_key_cut';
}
