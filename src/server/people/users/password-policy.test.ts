import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { faultsOf } from './password.ts';

const codesOf = (password: string, login = 'anna', passwordMinLength = 8) =>
  faultsOf({ ...loadConfig({}), passwordMinLength }, password, login).map(({ code }) => code);

test.each([
  ['a long password', []],
  ['7 signs', ['field.too_short']],
  ['', ['user.password_required']],
  ['x'.repeat(1025), ['field.too_long']],
  ['password123', ['user.password_common']],
  ['PassWord123', ['user.password_common']],
  ['1QAZ2wsx', ['user.password_common']],
  ['i am Anna!', ['user.password_login']],
  ['anna', ['field.too_short']],
])('%s: %o', (password, codes) => {
  expect(codesOf(password)).toEqual(codes);
});

test('takes a login that is part of many words for none', () => {
  expect(codesOf('good as gold', 'as')).toEqual([]);
});

test('asks for as many characters as the setting says', () => {
  expect(codesOf('eleven sign', 'anna', 12)).toEqual(['field.too_short']);
  expect(codesOf('twelve signs', 'anna', 12)).toEqual([]);
  expect(codesOf('short', 'anna', 12)).toEqual(['field.too_short']);
  const [fault] = faultsOf({ ...loadConfig({}), passwordMinLength: 12 }, 'short', 'anna');
  expect(fault?.message).toBe('Use at least 12 characters');
});

test('knows a list of common passwords, each in small letters and long enough to be chosen', () => {
  const text = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8');
  const list = text.trimEnd().split('\n');
  expect(list.length).toBeGreaterThan(1000);
  expect(new Set(list).size).toBe(list.length);
  expect(list.filter((one) => one.length < 8 || one !== one.toLowerCase())).toEqual([]);
});
