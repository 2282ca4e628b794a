import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedSeed } from '../../../test/helpers/random.ts';
import { escapedForms } from './escaped-forms.ts';
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

test.each([
  // Printed by Terraform 1.11.4 and OpenTofu 1.12.6, in a plan and in its JSON, once and inside a text.
  String.raw`A<&>\"\\b\b\f\x01\x7f\u2028\u200b\u00a0é😀\U000e0001Z`,
  String.raw`A\\u003c\\u0026\\u003e\\\"\\\\b\\b\\f\\u0001\x7f\\u2028\u200b\u00a0é😀\U000e0001Z`,
  `${String.raw`A\u003c\u0026\u003e\"\\b\b\f\u0001`}\x7f${String.raw`\u2028`}\u200b\u00a0é😀\u{e0001}Z`,
  `${String.raw`A\\u003c\\u0026\\u003e\\\"\\\\b\\b\\f\\u0001`}\x7f${String.raw`\\u2028`}\u200b\u00a0é😀\u{e0001}Z`,
  // By json.dumps of Python, and of its own text.
  String.raw`A<&>\"\\b\b\f\u0001\u007f\u2028\u200b\u00a0\u00e9\ud83d\ude00\udb40\udc01Z`,
  String.raw`A<&>\\\"\\\\b\\b\\f\\u0001\\u007f\\u2028\\u200b\\u00a0\\u00e9\\ud83d\\ude00\\udb40\\udc01Z`,
])('hides the escaped form %#', (form) => {
  const secrets = ['A<&>"\\b\b\f\u0001\u007f\u2028\u200b\u00a0é😀\u{E0001}Z'];
  expect(createMask(secrets)(`x = "${form}" y`)).toBe('x = "********" y');
  // Nothing of it is shown where a line is cut.
  const half = form.slice(0, form.length / 2);
  expect(createPartMask(secrets)(`x = "${half}`)).toBe('x = "');
  expect(createTailMask(secrets)(`${form.slice(half.length)}" y`)).toBe('" y');
});

test('a secret has few forms, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const forms = escapedForms(text);
      expect(forms.length).toBeLessThanOrEqual(30);
      expect(forms.map((form) => form.length).every((length) => length <= 48 * text.length)).toBe(
        true,
      );
    }),
    { seed: fixedSeed },
  );
  expect(escapedForms('plain-Secret_1')).toEqual(['plain-Secret_1']);
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
