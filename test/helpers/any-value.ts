// Random values of a schema, for comparing what is made of them.

import * as fc from 'fast-check';
import { z } from 'zod';

/** A field that no schema declares; every object of these values has it. */
export const undeclared = 'never_declared';

const oddValues: unknown[] = [undefined, null, true, -0, -1, 0, 0.5, 2 ** 53, Number.NaN, Infinity];
oddValues.push(7n, '', 'odd', '"\\\u0000\ud800', [], [null], {}, new Date(0));
const odd = fc.constantFrom(...oddValues, { [undeclared]: 'odd' });

const text = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme' }), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  { arbitrary: fc.constantFrom('"', '\\', '\n\u001f\u007f', '\ud800', '\u2028'), weight: 1 },
);

const time = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString());

/** Values of a schema, of which about the share `oddness` is replaced by odd ones at each place. */
export function valuesOf(schema: z.ZodType, oddness: number): fc.Arbitrary<unknown> {
  const fitting = leafOf(schema) ?? compoundOf(schema, (one) => valuesOf(one, oddness));
  if (oddness === 0) return fitting;
  return fc.oneof({ arbitrary: fitting, weight: 1 / oddness }, { arbitrary: odd, weight: 1 });
}

function compoundOf(
  schema: z.ZodType,
  given: (inner: z.ZodType) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const inner = given as (inner: unknown) => fc.Arbitrary<unknown>;
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, inner(field)]);
    const declared = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
    return fc.record({ [undeclared]: fc.constant('secret'), ...declared });
  }
  if (schema instanceof z.ZodArray) return fc.array(inner(schema.element), { maxLength: 3 });
  if (schema instanceof z.ZodNullable) return fc.option(inner(schema.unwrap()));
  if (schema instanceof z.ZodOptional) {
    return fc.option(inner(schema.unwrap()), { nil: undefined });
  }
  if (schema instanceof z.ZodDefault) return inner(schema.unwrap());
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(inner));
  if (schema instanceof z.ZodRecord) return fc.dictionary(fc.string(), inner(schema.valueType));
  // A reply with other forms: the function in front of it makes them from the values.
  if (schema instanceof z.ZodPipe) return inner(schema.out);
  return fc.constant(null);
}

function leafOf(schema: z.ZodType): fc.Arbitrary<unknown> | null {
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodISODateTime) return time;
  if (schema instanceof z.ZodISODate) return fc.constant('2026-02-28');
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema;
    const least = Math.max(minValue ?? -1e9, -1e9);
    return fc.integer({ min: Math.floor(least) + 1, max: Math.min(maxValue ?? 1e9, 1e15) });
  }
  if (!(schema instanceof z.ZodString)) return null;
  const { pattern } = z.toJSONSchema(schema);
  return pattern === undefined ? text : fc.stringMatching(new RegExp(pattern));
}
