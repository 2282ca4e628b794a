import { createHash, timingSafeEqual } from 'node:crypto';

type Bytes = string | Buffer;
const sha256 = (value: Bytes) => createHash('sha256').update(value);

/**
 * The SHA-256 hash in hex. It is stored instead of a random text that opens something, such as a token:
 * nobody can compute the text from it.
 */
export const digest = (value: Bytes): string => sha256(value).digest('hex');

/** Compares secrets by their hashes, so that neither time nor length shows how much of a guess was right. */
export const safeEqual = (given: Bytes, wanted: Bytes): boolean =>
  timingSafeEqual(sha256(given).digest(), sha256(wanted).digest());
