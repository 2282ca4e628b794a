import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#shared/api/index.ts';
import { withCompatFields } from '#shared/compatible/forms.ts';
import { undeclared, valuesOf } from '../../../test/helpers/any-value.ts';
import { runSeed } from '../../../test/helpers/random.ts';
import { print } from './printer.ts';

const printed = (schema: z.ZodType, value: unknown): string => print(schema, value).toString();

/** What zod alone makes of a value; null where it refuses the value. */
const byZod = (schema: z.ZodType, value: unknown): string | null =>
  orNull(() => JSON.stringify(schema.parse(value)) ?? 'null');

function orNull(make: () => string): string | null {
  try {
    return make();
  } catch {
    return null;
  }
}

const replies = endpoints
  .filter(({ endpoint }) => endpoint.status !== 204)
  .map(({ name, endpoint }) => [name, endpoint.reply] as const);

test.each(replies)('prints or refuses the reply of %s as zod does', (_name, reply) => {
  let accepted = 0;
  const isSame = (value: unknown): void => {
    const expected = byZod(reply, value);
    if (expected !== null) accepted += 1;
    expect(orNull(() => printed(reply, value))).toBe(expected);
  };
  for (const oddness of [0, 0.02]) {
    fc.assert(fc.property(valuesOf(reply, oddness), isSame), { numRuns: 60, seed: runSeed });
  }
  expect(accepted).toBeGreaterThan(0);
});

const thing = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  note: z.string().optional(),
  inner: z.object({ flag: z.boolean() }).nullable(),
});

test('writes only what the schema names, at every depth and in other forms too', () => {
  const secret = { [undeclared]: 'secret' };
  const value = { ...secret, id: 1, name: '"x"', inner: { ...secret, flag: true } };
  const expected = '{"id":1,"name":"\\"x\\"","inner":{"flag":true}}';
  const inOtherForms = withCompatFields((one: z.output<typeof thing>) => ({ ...one }), thing);
  expect(printed(thing, value)).toBe(expected);
  expect(printed(z.array(thing), [value])).toBe(`[${expected}]`);
  expect(printed(inOtherForms, value)).toBe(expected);
});

test('names the whole path of a wrong value', () => {
  const list = z.array(thing);
  const wrong = [{ id: 1, name: 'x', inner: { flag: 'yes' } }];
  expect(() => print(list, wrong)).toThrow(/"path": \[\s*0,\s*"inner",\s*"flag"\s*\]/);
});

test('checks an object with rules of its own, and one that refuses further fields', () => {
  const strict = z.strictObject({ id: z.number() });
  const ruled = z.object({ id: z.number() }).refine(({ id }) => id > 5);
  expect(() => print(strict, { id: 1, more: 2 })).toThrow('more');
  expect(() => print(ruled, { id: 1 })).toThrow('custom');
  expect([printed(strict, { id: 1 }), printed(ruled, { id: 6 })]).toEqual(['{"id":1}', '{"id":6}']);
});

test.each([0, 1, 2, 40, 5000])('a list of %i items is the same text as by zod', (count) => {
  const list = z.array(thing);
  const items = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `${'\u{1f600}\u00e4"'.repeat(index % 7)}\ud800`,
    inner: null,
  }));
  expect(printed(list, items)).toBe(byZod(list, items));
});

test('a wrong item far behind in a long list is refused', () => {
  const items: unknown[] = Array.from({ length: 5000 }, (_, index) => ({
    id: index + 1,
    name: 'x'.repeat(20),
    inner: null,
  }));
  items[4999] = { id: 5000 };
  expect(() => print(z.array(thing), items)).toThrow(/4999/);
});
