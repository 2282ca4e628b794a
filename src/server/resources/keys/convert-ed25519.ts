// Converts Ed25519 keys from PKCS#8, which OpenSSH before 9.6 cannot read.

import { createPrivateKey, randomBytes } from 'node:crypto';
import { mendPrivateKey } from '#shared/keys/mend-private-key.ts';

const begin = '-----BEGIN PRIVATE KEY-----';
/** Longer texts are other types of key, which are slow to parse. */
const MAX_TEXT_LENGTH = 500;

/** Returns any other text unchanged. */
export function convertEd25519(text: string): string {
  if (!text.startsWith(begin) || text.length > MAX_TEXT_LENGTH) return text;
  const parts = readEd25519(text);
  return parts ? opensshText(parts) : text;
}

interface Ed25519 {
  publicKey: Buffer;
  seed: Buffer;
}

function readEd25519(text: string): Ed25519 | null {
  try {
    const { crv, x, d } = createPrivateKey(text).export({ format: 'jwk' });
    if (crv !== 'Ed25519' || x === undefined || d === undefined) return null;
    return { publicKey: Buffer.from(x, 'base64url'), seed: Buffer.from(d, 'base64url') };
  } catch {
    return null;
  }
}

// Format: PROTOCOL.key of OpenSSH.
function opensshText({ publicKey, seed }: Ed25519): string {
  const shared = Buffer.concat([field('ssh-ed25519'), field(publicKey)]);
  const check = randomBytes(4);
  const comment = field('');
  const secret = pad(
    Buffer.concat([check, check, shared, field(Buffer.concat([seed, publicKey])), comment]),
  );
  const options = [field('none'), field('none'), field('')];
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...options,
    number(1),
    field(shared),
    field(secret),
  ]);
  const name = 'OPENSSH PRIVATE KEY';
  return mendPrivateKey(`-----BEGIN ${name}-----${bytes.toString('base64')}-----END ${name}-----`);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([number(bytes.length), bytes]);
}

/** Pads to a multiple of eight with the bytes 1, 2, 3 and so on. */
function pad(bytes: Buffer): Buffer {
  const missing = (8 - (bytes.length % 8)) % 8;
  return Buffer.concat([bytes, Buffer.from(Array.from({ length: missing }, (_, at) => at + 1))]);
}
