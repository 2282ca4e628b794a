// argon2id in PHC string format, with the parameters of OWASP.

import { argon2, randomBytes, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { trimEndOf } from '#shared/trim-end.ts';
import { lazy } from '../../../node/async/state-of.ts';
import { safeEqual } from '../../lib/digest.ts';

const derive = promisify(argon2);

// Memory in KiB.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const encode = (bytes: Buffer): string => trimEndOf(bytes.toString('base64'), '=');

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await hash(password, { ...cost, nonce: salt, tagLength: tagBytes });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

const hash = (password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> =>
  derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), ...parameters });

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// The hash that is compared if there is no such user, so that the answer takes as long.
const decoy = lazy(() => hashPassword(randomBytes(saltBytes).toString('hex')));

/** Takes the same time for an unknown user (`stored` is null). */
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
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  });
  return safeEqual(actual, expected) && stored !== null;
}
