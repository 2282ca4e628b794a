// Clients of other versions of this API send some fields in other forms. The files in this folder convert their bodies
// into the canonical form before all other validation.

import { z } from 'zod';
import { splitList } from '../comma-list.ts';
import { findingsOf, type Finding } from '../field-errors.ts';

export type Body = Record<string, unknown>;

/** Different values of a field in its canonical form and in another form of the same body. */
export interface FieldConflict {
  /** The canonical name of the field. */
  name: string;
  /** The path of the field in the other form. */
  path: string;
  value: unknown;
}

export interface Reading {
  /** The body in the canonical form. */
  body: unknown;
  /** The errors of the other form, and fields with different values in both forms. */
  findings: Finding[];
  /** The fields that this form does not have: a PUT without them keeps their values. */
  kept?: readonly string[];
}

/** The other forms of the body of an endpoint. */
export interface Forms {
  /** The fields of these forms, for the OpenAPI document. */
  fields: z.ZodObject;
  read: (body: unknown) => Reading;
}

/** An object of the other form: its schema, and the canonical names of its fields where they differ; null: none. */
export interface Nested {
  at: string;
  schema: z.ZodType<Body | null | undefined>;
  names: Record<string, string | null>;
}

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names as a list or a comma-separated text, with the rules of the canonical field, which is a text. */
export const names = (field: z.ZodType<string, string>) =>
  z
    .union([z.array(z.string().trim().min(1, { error: 'field.required' })).max(500), z.string()])
    .nullish()
    .transform((given) => {
      if (given === undefined) return undefined;
      return Array.isArray(given) ? given.join(',') : (given ?? '');
    })
    .pipe(field.optional());

export const flag = z
  .boolean()
  .nullish()
  .transform((given) => given ?? undefined);

/** Marks fields of a reply for clients of other versions in the OpenAPI document. */
export const compatOnly = <Shape extends Record<string, z.ZodType>>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, field.meta({ 'x-compatible': true })]),
  ) as Shape;

/** A reply to which `show` adds other forms of its fields. */
export const withCompatFields = <Given, Shown, Reply extends z.ZodType<unknown, Awaited<Shown>>>(
  show: (given: Given) => Shown,
  reply: Reply,
) => z.transform(show).pipe(reply);

/** Converts a text of names into a list. */
export const listOf = (text: string | null): string[] => splitList(text ?? '');

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  // For example arguments as JSON.
  value === '[]' ||
  (Array.isArray(value) && value.length === 0);

/** Whether two values of a field are equivalent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isNothing(one) && isNothing(other)) return true;
  if (typeof one === 'string' && typeof other === 'string') {
    return listOf(one).join() === listOf(other).join();
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

interface RenamedField {
  /** The name of the field in the other form. */
  from: string;
  /** Its canonical name. */
  to: string;
  /** Validates a value of the other form and converts it. */
  schema: z.ZodType;
}

/** The forms of a body in which other clients use another name of a field. */
export function renamed({ from, to, schema }: RenamedField): Forms {
  const fields = z.object({ [from]: schema });
  return {
    fields,
    read(given) {
      if (!isBody(given)) return { body: given, findings: [] };
      const { [from]: sent, ...body } = given;
      const findings = findingsOf(fields, { [from]: sent });
      if (findings.length > 0) return { body, findings };
      const value = schema.parse(sent);
      if (body[to] === value) return { body, findings };
      return { body, findings: preferNonEmpty(body, [{ name: to, path: from, value }]) };
    },
  };
}

export interface Lifted extends Reading {
  body: Body;
  contradictions: FieldConflict[];
}

/** Copies the fields of a nested object into the body, unless the body has another value. */
export function lift(given: Body, { at, schema, names: map }: Nested): Lifted {
  const { [at]: inner, ...body } = given;
  const findings = inner === undefined ? [] : findingsOf(schema, inner).map(within(at));
  const lifted: Lifted = { body, findings, contradictions: [] };
  if (findings.length > 0) return lifted;
  for (const [key, value] of Object.entries(schema.parse(inner) ?? {})) {
    const name = map[key] === undefined ? key : map[key];
    if (name === null || value === undefined) continue;
    // Empty in both forms.
    if (body[name] === null && isNothing(value)) continue;
    if (body[name] == null) body[name] = value;
    else if (!isSame(body[name], value)) {
      lifted.contradictions.push({ name, path: `${at}.${key}`, value });
    }
  }
  return lifted;
}

const within =
  (at: string) =>
  (finding: Finding): Finding => ({
    ...finding,
    path: [at, finding.path].filter(Boolean).join('.'),
  });

const contradicted = ({ name, path }: FieldConflict): Finding => ({
  path,
  code: 'field.contradiction',
  params: { other: name },
});

/**
 * Of two forms of a field, a non-empty one wins over an empty one. Returns the errors where both have different values.
 * The stored value is not used, so that the same request always has the same result.
 */
export function preferNonEmpty(body: Body, contradictions: FieldConflict[]): Finding[] {
  return contradictions.flatMap((one) => {
    if (isNothing(one.value)) return [];
    if (!isNothing(body[one.name])) return [contradicted(one)];
    body[one.name] = one.value;
    return [];
  });
}
