import { expect, test } from 'vitest';
import { newRecoveryCodes, newSecret, recoveryHash, setupUri, stepOf } from './codes.ts';

// The secret of the standard's own examples: "12345678901234567890" as Base32.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
])('at %d seconds takes %s of the examples of RFC 6238', (seconds, code, step) => {
  expect(stepOf(secret, code, new Date(seconds * 1000))).toBe(step);
});

test('takes the code of one step before and after, and of none farther away', () => {
  const at = (steps: number) => new Date((41_152_263 + steps) * 30_000);
  const seen = [-2, -1, 0, 1, 2].map((steps) => stepOf(secret, '005924', at(steps)));
  expect(seen).toEqual([null, 41_152_263, 41_152_263, 41_152_263, null]);
});

test('makes secrets of 160 bits, and tells authenticator apps whose they are', () => {
  const made = Array.from({ length: 20 }, newSecret);
  expect(new Set(made).size).toBe(20);
  expect(made.join(' ')).toMatch(/^(?:[A-Z2-7]{32} ?){20}$/);
  const uri = new URL(setupUri(secret, 'an:na@example.com'));
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(uri.pathname)).toContain('Signalbox:an:na@example.com');
  expect(uri.searchParams.get('secret')).toBe(secret);
  expect(uri.searchParams.get('issuer')).toBe('Signalbox');
});

test('makes ten recovery codes, which fit whatever is typed between their letters', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  const [one = ''] = codes;
  expect(one).toMatch(/^(?:[a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
  const typed = ` ${one.replaceAll('-', ' ').toUpperCase()} `;
  expect(recoveryHash(1, typed)).toBe(recoveryHash(1, one));
  expect(recoveryHash(2, one)).not.toBe(recoveryHash(1, one));
});
