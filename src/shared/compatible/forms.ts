// Clients of other versions of this API send some fields in another form. This file and the others in
// this folder convert their bodies into our own form before anything else reads them.

import { z } from 'zod';
import { splitList } from '../comma-list.ts';
import { findingsOf, type Finding } from '../field-errors.ts';

export type Body = Record<string, unknown>;

/** A contradiction between our own form and another one in the same body. */
export interface FieldConflict {
  /** The name of the field in our own form. */
  name: string;
  /** The path of the field in the other form. */
  path: string;
  value: unknown;
}

export interface Reading {
  /** The body in our own form. */
  body: unknown;
  /** The errors of the other form, and the fields of which the two forms have different values. */
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

/** An object of the other form: its schema, and the names of its fields in our own form. */
export interface Nested {
  at: string;
  schema: z.ZodType<Body | null | undefined>;
  names: Record<string, string>;
}

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names as a list or as a text with commas, under the rules of our own field, which is a text. */
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

/** Fields of a reply that are there for clients of other versions, which the OpenAPI document marks. */
export const compatOnly = <Shape extends Record<string, z.ZodType>>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, field.meta({ 'x-compatible': true })]),
  ) as Shape;

/** A reply to which `show` adds other forms of its fields. It is checked once, with all of them. */
export const withCompatFields = <Given, Shown, Reply extends z.ZodType<unknown, Awaited<Shown>>>(
  show: (given: Given) => Shown,
  reply: Reply,
) => z.transform(show).pipe(reply);

/** Converts a text of names into the list that other clients read. */
export const listOf = (text: string | null): string[] => splitList(text ?? '');

/** Whether a field has no value. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  // The text of a list, such as that of arguments.
  value === '[]' ||
  (Array.isArray(value) && value.length === 0);

/** Whether two values of a field mean the same. */
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
  /** Its name in our own form. */
  to: string;
  /** Checks a value of the other form and converts it into one of our own. */
  schema: z.ZodType;
}

/** The forms of a body of which one field has another name in other clients. */
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

/** Copies the fields of a nested object into the body, except where the body has another value. */
export function lift(given: Body, { at, schema, names: map }: Nested): Lifted {
  const { [at]: inner, ...body } = given;
  const findings = inner === undefined ? [] : findingsOf(schema, inner).map(within(at));
  const lifted: Lifted = { body, findings, contradictions: [] };
  if (findings.length > 0) return lifted;
  for (const [key, value] of Object.entries(schema.parse(inner) ?? {})) {
    const name = map[key];
    if (name === undefined || value === undefined) continue;
    // A field that both forms leave empty stays as it is.
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
 * Of two forms of a field, the one with a value counts: an empty one beside it says nothing. Returns the
 * errors where both have different values. What is stored decides nothing, so that the same body has
 * the same result however often it is sent.
 */
export function preferNonEmpty(body: Body, contradictions: FieldConflict[]): Finding[] {
  return contradictions.flatMap((one) => {
    if (isNothing(one.value)) return [];
    if (!isNothing(body[one.name])) return [contradicted(one)];
    body[one.name] = one.value;
    return [];
  });
}
