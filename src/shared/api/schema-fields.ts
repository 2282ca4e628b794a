// All fields of a schema, also inside its wrappings.

import { z } from 'zod';

export interface SchemaField {
  /** With `*` for the items of a list. */
  path: string[];
  schema: z.ZodType;
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

export function fieldsIn(schema: z.ZodType, path: string[] = []): SchemaField[] {
  const inner = Object.entries(schema.def as unknown as Record<string, unknown>).flatMap(
    ([name, part]) =>
      partsOf(name, part).flatMap(([step, one]) => fieldsIn(one, [...path, ...step])),
  );
  return [{ path, schema }, ...inner];
}

type Part = [step: string[], schema: z.ZodType];

function partsOf(name: string, part: unknown): Part[] {
  if (isSchema(part)) {
    const isItem = ['element', 'valueType', 'rest'].includes(name);
    return [[isItem ? ['*'] : [], part]];
  }
  if (name === 'getter' && typeof part === 'function') return [[[], part() as z.ZodType]];
  if (Array.isArray(part)) return part.filter(isSchema).map((one): Part => [[], one]);
  if (name !== 'shape' || typeof part !== 'object' || part === null) return [];
  return Object.entries(part as Record<string, z.ZodType>).map(([key, one]) => [[key], one]);
}

/** The values at a path of a field. */
export function valuesAt(at: unknown, [step, ...others]: string[]): unknown[] {
  if (step === undefined) return [at];
  if (typeof at !== 'object' || at === null) return [];
  if (step === '*') return Object.values(at).flatMap((one) => valuesAt(one, others));
  return valuesAt((at as Record<string, unknown>)[step], others);
}

/** A place in a value, where something can be put. */
interface FieldPlace {
  holder: Record<string, unknown>;
  key: string;
}

/** The places at a path of a field; of a list at its end, those of its items. */
export function placesAt(at: unknown, [step, ...others]: string[]): FieldPlace[] {
  if (typeof at !== 'object' || at === null) return [];
  const holder = at as Record<string, unknown>;
  if (step === undefined) return [];
  const keys = step === '*' ? Object.keys(holder) : Object.hasOwn(holder, step) ? [step] : [];
  return keys.flatMap((key) => {
    const inner = holder[key];
    if (others.length > 0) return placesAt(inner, others);
    return Array.isArray(inner) ? placesAt(inner, ['*']) : [{ holder, key }];
  });
}
