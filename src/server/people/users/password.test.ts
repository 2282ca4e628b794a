import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

test('makes argon2id hashes as PHC text, with a salt of their own each', async () => {
  const [first, second] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
  expect(first).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  );
  expect(first).not.toBe(second);
  expect(first).not.toContain('secret');
});

test('accepts the password of a hash and no other', async () => {
  const hash = await hashPassword('correct horse');
  expect(await verifyPassword('correct horse', hash)).toBe(true);
  for (const wrong of ['Correct horse', 'correct horse ', 'correct', '', hash]) {
    expect(await verifyPassword(wrong, hash)).toBe(false);
  }
});

test('takes the same letters for the same, however the keyboard composes them', async () => {
  const composed = 'Zu\u0308rich \u00e9 \ufb01';
  const other = 'Z\u00fcrich e\u0301 fi';
  expect(await verifyPassword(other, await hashPassword(composed))).toBe(true);
  expect(await verifyPassword('Zurich e fi', await hashPassword(composed))).toBe(false);
});

test('verifies hashes that were made with other costs', async () => {
  // The output of the reference program: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const made =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword('password', made)).toBe(true);
  expect(await verifyPassword('Password', made)).toBe(false);
});

test('never accepts anything where there is no hash, or one that is broken', async () => {
  for (const stored of [null, '', 'plain', '$argon2id$v=19$m=1,t=1$x', '$2b$10$abcdefghijk']) {
    expect(await verifyPassword('plain', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  }
});
