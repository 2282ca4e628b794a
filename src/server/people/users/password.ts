// Password hashes: argon2id as PHC text, with the parameters that OWASP recommends.

import { argon2, randomBytes, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { trimEndOf } from '#shared/trim-end.ts';
import { lazy } from '../../../node/async/state-of.ts';
import { safeEqual } from '../../lib/digest.ts';

const derive = promisify(argon2);

// KiB of memory, number of passes, number of lanes.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const encode = (bytes: Buffer): string => trimEndOf(bytes.toString('base64'), '=');

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await hash(password, { ...cost, salt, tagBytes });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

interface HashInput {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tagBytes: number;
}

function hash(password: string, input: HashInput): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: input.salt,
    memory: input.memory,
    passes: input.passes,
    parallelism: input.parallelism,
    tagLength: input.tagBytes,
  };
  return derive('argon2id', parameters);
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// The hash that is compared if there is no such user, so that the answer takes as long.
const decoy = lazy(() => hashPassword(randomBytes(saltBytes).toString('hex')));

/** Takes as long for an unknown user (`stored` is null) as for a wrong password. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const unused = decoy();
  const parts = phc.exec(stored ?? (await unused));
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await hash(password, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tagBytes: expected.length,
  });
  return safeEqual(actual, expected) && stored !== null;
}
