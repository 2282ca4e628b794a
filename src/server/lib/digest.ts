import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The hash of a random text that opens something. It is stored instead of the text, which nobody
 * can compute from it.
 */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

type Bytes = string | Buffer;
export const hashed = (value: Bytes): Buffer => createHash('sha256').update(value).digest();

/** Compares by hashes, so that neither time nor length shows how much of a guess was right. */
export const same = (given: Bytes, wanted: Bytes): boolean =>
  timingSafeEqual(hashed(given), hashed(wanted));
