import { describe, expect, test } from 'vitest';
import type { DeliveryRequest } from '#shared/api/deliveries.ts';
import type { ExtractValue, Matcher } from '#shared/api/matchers.ts';
import { parsePath } from '#shared/json-path.ts';
import { evaluate } from './evaluate.ts';

const matcher = (fields: Partial<Matcher>): Matcher => ({
  id: 1,
  integration_id: 1,
  name: 'Rule',
  match_type: 'body',
  body_data_type: 'json',
  key: 'ref',
  method: 'equals',
  value: 'main',
  ...fields,
});

const value = (key: string, fields: Partial<ExtractValue> = {}): ExtractValue => ({
  id: 1,
  integration_id: 1,
  name: 'Value',
  value_source: 'body',
  body_data_type: 'json',
  key,
  variable_type: 'environment',
  variable: 'it',
  ...fields,
});

const json = (body: string, headers: Record<string, string> = {}): DeliveryRequest => ({
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

const extracted = (key: string, body: string): string | undefined =>
  evaluate({ matchers: [], values: [value(key)] }, json(body)).values['it'];

test.each<[key: string, names: string[] | null]>([
  ['a', ['a']],
  ['a.b', ['a', 'b']],
  ['a[0].b', ['a', '0', 'b']],
  ['a.[0].b', ['a', '0', 'b']],
  ['a.0.b', ['a', '0', 'b']],
  ['[0]', ['0']],
  ['[0][1]', ['0', '1']],
  ['["a.b"].c', ['a.b', 'c']],
  ['a["b c"]', ['a', 'b c']],
  ['a.["b"]', ['a', 'b']],
  [String.raw`["a\"b\\"]`, [String.raw`a"b` + '\\']],
  ['[""]', ['']],
  ['größe.名前', ['größe', '名前']],
  ['', null],
  ['.a', null],
  ['a.', null],
  ['a..b', null],
  ['a[b]', null],
  ['a[', null],
  ['a]', null],
  ['["a]', null],
  ['a[-1]', null],
])('the path %s leads over %j', (key, names) => {
  expect(parsePath(key)).toEqual(names);
});

describe('a path in JSON', () => {
  test.each<[key: string, body: string, text: string | undefined]>([
    ['ref', '{"ref":"main"}', 'main'],
    ['a.b', '{"a":{"b":"c"},"a.b":"no"}', 'c'],
    ['["a.b"]', '{"a":{"b":"no"},"a.b":"c"}', 'c'],
    ['commits[1].id', '{"commits":[{"id":"x"},{"id":"y"}]}', 'y'],
    ['commits.1.id', '{"commits":[{"id":"x"},{"id":"y"}]}', 'y'],
    ['[0]', '["first"]', 'first'],
    ['n', '{"n":12345678901234567890123}', '12345678901234567890123'],
    ['n', '{"n":9007199254740993}', '9007199254740993'],
    ['n', '{"n":1.0}', '1'],
    ['n', '{"n":1.50}', '1.50'],
    ['n', '{"n":-0.5}', '-0.5'],
    ['n', '{"n":1e3}', '1000'],
    ['n', '{"n":1e21}', '1000000000000000000000'],
    ['yes', '{"yes":true}', 'true'],
    ['list', '{"list":[1,{"a":10000000000000000001}]}', '[1,{"a":10000000000000000001}]'],
    ['empty', '{"empty":""}', ''],
    ['none', '{"none":null}', undefined],
    ['none', '{}', undefined],
    ['ref.length', '{"ref":"main"}', undefined],
    ['list.length', '{"list":[1]}', undefined],
    ['list[1]', '{"list":[1]}', undefined],
    ['n.rawJSON', '{"n":12345678901234567890123}', undefined],
    ['n.toFixed', '{"n":1}', undefined],
    ['__proto__', '{}', undefined],
    ['constructor.name', '{}', undefined],
    ['a.hasOwnProperty', '{"a":{}}', undefined],
    ['__proto__.polluted', '{"__proto__":{"polluted":"own"}}', 'own'],
    ['constructor', '{"constructor":"own"}', 'own'],
  ])('%s in %s is %j', (key, body, text) => {
    expect(extracted(key, body)).toBe(text);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('matchers', () => {
  const body = '{"ref":"refs/heads/main","n":7}';
  test.each<[fields: Partial<Matcher>, code: string]>([
    [{ value: 'refs/heads/main' }, 'delivery.matched'],
    [{ value: 'refs/heads/Main' }, 'delivery.not_equal'],
    [{ method: 'unequals', value: 'other' }, 'delivery.matched'],
    [{ method: 'unequals', value: 'refs/heads/main' }, 'delivery.equal'],
    [{ method: 'contains', value: 'heads/m' }, 'delivery.matched'],
    [{ method: 'contains', value: 'tags' }, 'delivery.not_contained'],
    [{ key: 'n', value: '7' }, 'delivery.matched'],
    [{ key: 'none', value: 'undefined' }, 'delivery.nothing_there'],
    [{ key: 'none', method: 'contains', value: 'n' }, 'delivery.nothing_there'],
    [{ key: 'none', method: 'unequals', value: 'x' }, 'delivery.matched'],
    [{ key: '__proto__', method: 'contains', value: 'o' }, 'delivery.nothing_there'],
    [
      { match_type: 'header', body_data_type: '', key: 'x-event', value: 'push' },
      'delivery.matched',
    ],
    [
      { match_type: 'header', body_data_type: '', key: 'X-None', value: 'x' },
      'delivery.nothing_there',
    ],
    [
      { body_data_type: 'string', key: 'any', method: 'contains', value: '"n":7' },
      'delivery.matched',
    ],
    [{ body_data_type: 'string', key: 'any', value: 'x' }, 'delivery.not_equal'],
  ])('%j: %s', (fields, code) => {
    const rules = { matchers: [matcher(fields)], values: [] };
    const { matches, reason } = evaluate(rules, json(body, { 'X-Event': 'push' }));
    expect([reason.code, matches]).toEqual([code, code === 'delivery.matched']);
  });

  test('must match all of them, and without any all requests match', () => {
    const right = matcher({ value: 'main' });
    const wrong = matcher({ name: 'Second', key: 'n', value: '8' });
    const request = json('{"ref":"main","n":7}');
    expect(evaluate({ matchers: [right, wrong], values: [] }, request)).toMatchObject({
      matches: false,
      reason: { params: { matcher: 'Second', key: 'n', seen: '7', value: '8' } },
    });
    expect(evaluate({ matchers: [right], values: [] }, request).matches).toBe(true);
    expect(evaluate({ matchers: [], values: [] }, json('not JSON')).matches).toBe(true);
  });

  test('show no more than the beginning of what they saw', () => {
    const long = 'x'.repeat(5000);
    const rules = { matchers: [matcher({ value: 'y'.repeat(500) })], values: [] };
    const { params } = evaluate(rules, json(JSON.stringify({ ref: long }))).reason;
    expect(params['seen']).toBe(`${'x'.repeat(200)}…`);
    expect(params['value']).toBe(`${'y'.repeat(200)}…`);
  });
});

describe('a body', () => {
  const code = (request: DeliveryRequest): string =>
    evaluate({ matchers: [matcher({})], values: [] }, request).reason.code;

  test('is JSON, a form with JSON in it, or a form', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const payload = `payload=${encodeURIComponent('{"ref":"main"}')}`;
    expect(code({ headers: {}, body: '{"ref":"main"}' })).toBe('delivery.matched');
    expect(code({ headers: form, body: payload })).toBe('delivery.matched');
    expect(code({ headers: form, body: 'ref=main&x=y' })).toBe('delivery.matched');
    expect(code({ headers: form, body: 'payload=nonsense' })).toBe('delivery.not_json');
    expect(code({ headers: form, body: '__proto__=x&ref=main' })).toBe('delivery.matched');
  });

  test('that is something else has nothing in it, and is still a text', () => {
    const text = matcher({ body_data_type: 'string', method: 'contains', value: 'hello' });
    for (const body of ['hello {', 'hello <xml/>', '["hello",]', '', '\u0000hello', 'nul']) {
      expect([body, code(json(body))]).toEqual([body, 'delivery.not_json']);
      const { matches } = evaluate({ matchers: [text], values: [] }, json(body));
      expect([body, matches]).toEqual([body, body.includes('hello')]);
    }
  });

  test('of any depth is read or not, and never breaks', () => {
    const nested = (depth: number): string =>
      `{"ref":"main","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(code(json(nested(150)))).toBe('delivery.matched');
    expect(extracted('deep', nested(150))).toBe('['.repeat(150) + ']'.repeat(150));
    for (const depth of [300, 20_000, 500_000]) {
      expect([depth, code(json(nested(depth)))]).toEqual([depth, 'delivery.not_json']);
    }
    const brackets = JSON.stringify({ text: `"${'['.repeat(5000)}\\`, ref: 'main' });
    expect(code(json(brackets))).toBe('delivery.matched');
  });
});

test('what is not there is left out and named, and names are only names', () => {
  const values = [
    value('ref', { variable: '__proto__' }),
    value('none', { variable: 'lost' }),
    value('also.none', { variable: 'lost' }),
    value('X-Event', { value_source: 'header', body_data_type: '', variable: 'event' }),
    value('any', { body_data_type: 'string', variable: 'text' }),
    value('none', { variable: 'twice' }),
    value('ref', { variable: 'twice' }),
  ];
  const body = '{"ref":"{{ lookup(\'pipe\', \'id\') }}"}';
  const verdict = evaluate({ matchers: [], values }, json(body, { 'x-event': 'push' }));
  const ref = "{{ lookup('pipe', 'id') }}";
  expect(Object.entries(verdict.values)).toEqual([
    ['__proto__', ref],
    ['event', 'push'],
    ['text', body],
    ['twice', ref],
  ]);
  expect(verdict.missing).toEqual(['lost']);
  expect(verdict.reason).toEqual({ code: 'delivery.values_missing', params: { names: 'lost' } });
});
