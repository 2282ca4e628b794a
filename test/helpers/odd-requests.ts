// Makes requests that are odd in every way that HTTP allows.

import * as fc from 'fast-check';
import type { NamedEndpoint } from '#shared/api/index.ts';
import { samples, type Body } from './samples.ts';

export interface Sent {
  params: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload: string | undefined;
}

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const oddTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202e\u200b\ufeff',
  '🚂'.repeat(300),
  'x'.repeat(256),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '-oProxyCommand=id',
  "'; drop table users; --",
  '{{7*7}}',
  '{"__proto__": {"admin": true}}',
  '{"a": "\\u0000"}',
  `{"a": ${deep(2000)}}`,
  '["\\ud800"]',
  'file:///%',
  'file:///srv/%00',
  '9'.repeat(400),
);

const oddNumbers = fc.constantFrom(
  0,
  -1,
  1.5,
  -0,
  2 ** 31,
  2 ** 53,
  999_999_999_999_999,
  1e21,
  5e-324,
  -1e308,
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddTexts,
  oddNumbers,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, [null], [[]], { toString: 1 }),
  fc.array(fc.oneof(oddTexts, oddNumbers), { maxLength: 3 }),
  fc.dictionary(fc.oneof(oddTexts, fc.string()), oddTexts, { maxKeys: 3 }),
);

const oddId = fc.oneof(
  fc.constantFrom('0', '-1', '1e3', '1.0', ' 1', '٣', 'null', '%00', '%', '%ff', '..', '999999'),
  fc.constantFrom('999999999999999', '9999999999999999', '1'.repeat(600), '1 or 1=1', '0x1', '+1'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).map(encodeSafely),
);

function encodeSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || '_';
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('"r1"', '"r0"', '"r999999999999999"', '"r2147483648"', 'x', '*')
      .map((value) => ({ 'if-match': value })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'text/plain',
        'application/xml',
        'application',
        '',
        'application/json; charset=x',
      )
      // The headers that a browser sends; other programs may send any content type.
      .map((value) => ({ 'content-type': value, 'sec-fetch-site': 'same-origin' })),
  },
);

const brokenJson = fc.oneof(
  fc.constantFrom('', '{', '[1,', '{"a":}', 'nul', '\u0000', deep(50_000), '"\ud800"', '{"a":1}}'),
  fc.constantFrom('null', '0', '"text"', '[]', '{"__proto__":{"x":1}}', '{"name":"a","name":"b"}'),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** The address of a request, with its query. */
export function urlOf(path: string, { params, query }: Sent): string {
  const filled = path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? '');
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeSafely(value)}`);
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}

/** The sample with one or two of its fields, at any depth, made odd, removed or added. */
function mutated(sample: Body): fc.Arbitrary<string> {
  const names = Object.keys(sample);
  const change = fc.tuple(
    fc.oneof(fc.constantFrom(...names), fc.constantFrom('id', 'project_id', '__proto__', 'extra')),
    fc.oneof(oddValue, fc.constant(undefined)),
    fc.boolean(),
  );
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const body: Body = structuredClone(sample);
    for (const [name, value, isDeep] of changes) {
      const inner = Object.hasOwn(body, name) ? body[name] : null;
      const list = Array.isArray(inner) ? (inner as Body[])[0] : (inner as Body | null);
      const target = isDeep && typeof list === 'object' && list !== null ? list : body;
      const field = target === body ? name : (Object.keys(target)[0] ?? name);
      Object.defineProperty(target, field, { value, enumerable: true, configurable: true });
    }
    return JSON.stringify(body);
  });
}

/** Any request to the endpoint; most of its parts are valid, so that it is not refused at once. */
export function requests({ name, endpoint }: NamedEndpoint, ids: Record<string, number | string>) {
  const paramNames = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => param ?? '');
  const idOf = (param: string): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(String(ids[param])) },
      { weight: 1, arbitrary: oddId },
    );
  const sample = samples(ids)[name];
  const payload: fc.Arbitrary<string | undefined> =
    endpoint.method === 'GET'
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 5, arbitrary: sample ? mutated(sample) : fc.constant('{}') },
          { weight: 2, arbitrary: brokenJson },
          { weight: 1, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: fc.constant(undefined) },
        );
  const queryNames = [
    ...Object.keys((endpoint.query as { shape?: object }).shape ?? {}),
    'sort',
    'order',
    'limit',
    'before',
    'q',
    'from',
    'status',
    'template_id',
    'user_id',
  ];
  const queryValue = fc.oneof(
    fc.constantFrom('1', '0', '-1', '1000', '5000', '2147483648', '999999999', '999999999999999'),
    fc.constantFrom(
      'name',
      'asc',
      'success',
      '\u0000',
      '__proto__',
      '',
      'x'.repeat(3000),
      '\ud800',
    ),
  );
  return fc.record<Sent>({
    params: fc.record(Object.fromEntries(paramNames.map((param) => [param, idOf(param)]))),
    query: fc.dictionary(fc.constantFrom(...queryNames), queryValue, { maxKeys: 2 }),
    headers: oddHeaders,
    payload,
  });
}
