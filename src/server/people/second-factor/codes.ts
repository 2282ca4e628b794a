// One-time passwords of authenticator apps (RFC 6238), and recovery codes. Pure functions.

import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { digest } from '../../lib/digest.ts';

/** 160 random bits (RFC 4226) in Base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Signalbox', label, secret, algorithm: 'SHA1', digits: 6, period: 30 });

/** The `otpauth:` address for the QR code. */
export const setupUri = (secret: string, login: string): string => totp(secret, login).toString();

/** The time step of a code within one step of now; null for a wrong code. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const clock = totp(secret);
  const timestamp = now.getTime();
  const delta = clock.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : clock.counter({ timestamp }) + delta;
}

// No ambiguous characters. 16 characters have 79 bits.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const count = 10;

const piece = (): string =>
  Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => [piece(), piece(), piece(), piece()].join('-'));

/** Normalises a typed code. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase();

export const recoveryHash = (userId: number, code: string): string =>
  digest(`${userId} ${plainCode(code)}`);
