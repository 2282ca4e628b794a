import { expect, test } from 'vitest';
import { fitsTable, nameFault, rawValue, shownValue, textOf, variablesOf } from './variables.ts';

const odd = `{ "port" : 8080, "big":12345678901234567890, "note": "a, b: {c} \\"d\\"",
  "list": [1, {"x": ","}], "nothing": null, "": "", "port": 1e400 }`;

test('reads every variable of a JSON object as it is written', () => {
  expect(variablesOf(odd)).toEqual([
    { name: 'port', raw: '8080' },
    { name: 'big', raw: '12345678901234567890' },
    { name: 'note', raw: '"a, b: {c} \\"d\\""' },
    { name: 'list', raw: '[1, {"x": ","}]' },
    { name: 'nothing', raw: 'null' },
    { name: '', raw: '""' },
    { name: 'port', raw: '1e400' },
  ]);
  expect(variablesOf(textOf(variablesOf(odd) ?? []))).toEqual(variablesOf(odd));
  expect([variablesOf('{}'), variablesOf(' '), textOf([])]).toEqual([[], [], '{}']);
});

test.each(['[1]', '"text"', '{"a": }', '{"a": 1,}', 'null', 'a: 1'])('%s is no object', (text) => {
  expect(variablesOf(text)).toBeNull();
  expect(fitsTable(variablesOf(text))).toBe(false);
});

test('rows hold plain values of one line only', () => {
  expect(fitsTable(variablesOf('{"a": 1, "b": "text", "c": true}'))).toBe(true);
  for (const value of ['[]', '{"b": 1}', '"two\\nlines"']) {
    expect([value, fitsTable(variablesOf(`{"a": ${value}}`))]).toEqual([value, false]);
  }
});

test('a value that is shown and typed again is the same', () => {
  const values = ['8080', '"8080"', 'true', '"true"', '"text"', '"\\"quoted\\""', '""', '" 1"'];
  for (const raw of values) {
    expect(rawValue(shownValue({ name: 'a', raw }, 'json'), 'json')).toBe(raw);
  }
  expect(rawValue('007', 'json')).toBe('"007"');
  expect(rawValue('"half', 'json')).toBe('"\\"half"');
  expect(rawValue('8080', 'env')).toBe('"8080"');
  expect(shownValue({ name: 'a', raw: '8080' }, 'env')).toBe('8080');
});

test('tells which name is missing or there twice', () => {
  expect(nameFault(odd)).toEqual({ missing: true });
  expect(nameFault('{"a": 1, "b": 2, "a": 3}')).toEqual({ twice: 'a' });
  expect(nameFault('{"a": {"b": 1}, "b": 2}')).toBeNull();
});
