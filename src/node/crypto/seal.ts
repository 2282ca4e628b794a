// Seals the secrets of a task with the public key of the runner that holds its lease, so that nothing between server and
// runner can read them, for example a proxy that terminates TLS. JSON Web Encryption with ECDH-ES.

import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from 'jose';
import type { PublicKey } from '#shared/api/runner-api.ts';

const alg = 'ECDH-ES';
const enc = 'A256GCM';

/** The task and lease that the secrets are sealed for. */
export interface SealedFor {
  task: number;
  lease: number;
}

/** Low-order points of the curve produce a predictable shared secret. */
export function canBeSealedTo(key: PublicKey): boolean {
  const { privateKey } = generateKeyPairSync('x25519');
  try {
    diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) });
    return true;
  } catch {
    return false;
  }
}

export async function sealTo(
  key: PublicKey,
  { task, lease }: SealedFor,
  value: unknown,
): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg, enc, task, lease })
    .encrypt(await importJWK(key, alg));
}

/** Throws when the text was sealed for another lease or another key. */
export async function openSealed(
  key: JWK,
  { task, lease }: SealedFor,
  sealed: string,
): Promise<unknown> {
  const options = { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: [enc] };
  const opened = await compactDecrypt(sealed, await importJWK(key, alg), options);
  const { task: ofTask, lease: ofLease } = opened.protectedHeader;
  if (ofTask !== task || ofLease !== lease) throw new Error('These secrets are for another task.');
  return JSON.parse(new TextDecoder().decode(opened.plaintext)) as unknown;
}
