import { createHash, timingSafeEqual } from 'node:crypto';

type Bytes = string | Buffer;
const sha256 = (value: Bytes) => createHash('sha256').update(value);

/** SHA-256 in hex, stored in place of a token so that the token cannot be read from the database. */
export const digest = (value: Bytes): string => sha256(value).digest('hex');

/** Constant-time comparison of hashes, which also hides the length. */
export const safeEqual = (given: Bytes, wanted: Bytes): boolean =>
  timingSafeEqual(sha256(given).digest(), sha256(wanted).digest());
