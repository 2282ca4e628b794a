import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedSeed } from '../../../test/helpers/random.ts';
import { createMask, createPartMask, createTailMask } from './mask.ts';

const secret = 'p@ss/word "47"+x!';

test.each([
  ['plain', secret],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['base64 inside a longer text', Buffer.from(`user:${secret}`).toString('base64')],
  ['base64 at another offset', Buffer.from(`ab${secret}cd`).toString('base64')],
  ['encoded for an address', encodeURIComponent(secret)],
  ['encoded for an address, with its slashes', encodeURIComponent(secret).replaceAll('%2F', '/')],
  ['encoded to the last sign', encodeURIComponent(secret).replaceAll('!', '%21')],
  ['encoded for a form', new URLSearchParams({ secret }).toString().slice('secret='.length)],
  ['escaped for JSON', JSON.stringify({ secret })],
])('hides a secret: %s', (_form, text) => {
  const masked = createMask([secret])(`before ${text} after`);
  expect(masked).toContain('********');
  expect(masked).not.toContain(secret);
  expect(masked).not.toContain(text);
  expect(masked).toMatch(/^before .* after$/);
});

test('shows nothing of a secret that is cut at the end of a text, wherever it is cut', () => {
  const secrets = [secret, 'secret', 'secretstation', 'abab-abac', 'first line\nsecond line'];
  const mask = createMask(secrets);
  const part = createPartMask(secrets);
  const pieces = [...secrets, Buffer.from(secret).toString('base64'), 'a', 's', ' ', 'abab', '\r'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), fc.nat(), (words, place) => {
      const text = words.join('');
      const cut = part(text.slice(0, place % (text.length + 1)));
      expect(mask(text).startsWith(cut)).toBe(true);
    }),
    { seed: fixedSeed },
  );
  expect(part('Password of secretst')).toBe('Password of ');
  expect(part('Continue? [y/N] ')).toBe('Continue? [y/N] ');
});

test('shows nothing of a secret whose beginning is cut off, wherever it is cut', () => {
  const secrets = [secret, 'secret', 'secretstation', 'abab-abac', 'first line\nsecond line'];
  const mask = createMask(secrets);
  const tail = createTailMask(secrets);
  const pieces = [...secrets, Buffer.from(secret).toString('base64'), 'a', 'n', ' ', 'abac', '\n'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), fc.nat(), (words, place) => {
      const text = words.join('');
      const cut = tail(text.slice(place % (text.length + 1)));
      expect(mask(text).endsWith(cut)).toBe(true);
    }),
    { seed: fixedSeed },
  );
  expect(tail('station is the password')).toBe(' is the password');
  expect(tail('line\nsecond line')).toBe('');
  expect(tail('(none)')).toBe('(none)');
  expect(tail('')).toBe('');
});

test('hides every occurrence, and the longer of two that overlap', () => {
  const mask = createMask(['secret', 'secretstation']);
  expect(mask('secretstation secret secretsecret')).toBe('******** ******** ****************');
});

test('hides each line of a private key but not its frame', () => {
  const key = '-----BEGIN KEY-----\nAAAAlineone\nBBBBlinetwo\n-----END KEY-----\n';
  const mask = createMask([key]);
  expect(mask('AAAAlineone')).toBe('********');
  expect(mask('got BBBBlinetwo')).toBe('got ********');
  expect(mask('-----BEGIN KEY-----')).toBe('-----BEGIN KEY-----');
});

test('leaves lines alone when there is nothing to hide, or only what is too short', () => {
  expect(createMask([])('text')).toBe('text');
  expect(createMask(['', 'ab'])('ab cd')).toBe('ab cd');
});

test('takes signs of regular expressions in a secret as they are', () => {
  expect(createMask(['a.*(b'])('a.*(b aXX(b')).toBe('******** aXX(b');
});

test('leaves nothing of what it hides, wherever in a line it stands', () => {
  const letters = fc.constantFrom('a', 'b', '4', ' ', '"', 'ü', '🚆', '\u0000');
  const text = (minLength: number) =>
    fc.array(letters, { minLength, maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.array(text(4), { minLength: 1, maxLength: 8 }),
      text(0),
      text(0),
      (all, a, b) => {
        const mask = createMask(all);
        for (const one of all.map((each) => each.trim()).filter(({ length }) => length >= 4)) {
          expect(mask(a + one + b)).toContain('********');
          expect(mask(`x${one}`)).not.toContain(one);
        }
      },
    ),
    { seed: fixedSeed, numRuns: 300 },
  );
});
