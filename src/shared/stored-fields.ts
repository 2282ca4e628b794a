// Derives the fields of a reply from those of a body: of the same type, but without validation rules, because a row may be
// older than a rule.

import { z } from 'zod';

type StoredValue<S extends z.ZodType> = Exclude<z.output<S>, undefined>;
type Stored<S extends z.ZodType> = z.ZodType<StoredValue<S>, StoredValue<S>>;

/** The fields of a reply; each has a value. */
export function storedFields<Shape extends z.ZodRawShape>(
  shape: Shape,
): { [Name in keyof Shape]: Shape[Name] extends z.ZodType ? Stored<Shape[Name]> : never } {
  const fields = Object.entries(shape).map(([name, schema]) => [name, stored(schema as z.ZodType)]);
  return Object.fromEntries(fields) as never;
}

function stored(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return z.string();
  if (schema instanceof z.ZodNumber) return schema.isInt ? z.number().int() : z.number();
  if (schema instanceof z.ZodBoolean) return z.boolean();
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return schema;
  if (schema instanceof z.ZodArray) return z.array(stored(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) return z.object(storedFields(schema.shape as z.ZodRawShape));
  if (schema instanceof z.ZodUnion) return storedUnion(schema.options as z.ZodType[]);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return stored(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodNullable) return stored(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodPipe) return storedPipe(schema);
  throw new Error(`A reply cannot be derived from a schema of the type ${schema.def.type}`);
}

/** The input of a transformation: the kinds of fields in fields.ts only change null. */
function storedPipe(pipe: z.ZodPipe): z.ZodType {
  const inner = stored(pipe.in as z.ZodType);
  const isNeverNull = (pipe.meta()?.['default'] ?? null) !== null;
  return isNeverNull && inner instanceof z.ZodNullable ? (inner.unwrap() as z.ZodType) : inner;
}

function storedUnion(options: z.ZodType[]): z.ZodType {
  const all = options.map(stored);
  return all.every(isText) ? z.string() : z.union(all);
}

const isText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodString ||
  (schema instanceof z.ZodLiteral && typeof schema.value === 'string');
