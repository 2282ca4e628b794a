// Clients that were made for other versions of this API say some things in another form. What they
// send becomes our own form before anything looks at it, here and in the files beside this one.

import { z } from 'zod';
import { splitList } from '../comma-list.ts';
import { findingsOf, type Finding } from '../field-errors.ts';

export type Body = Record<string, unknown>;

/** What one form says and ours contradicts. */
export interface Contradiction {
  /** The name of the field in our form. */
  name: string;
  /** Where the other form says it. */
  path: string;
  value: unknown;
}

export interface Reading {
  /** The body in our own form. */
  body: unknown;
  /** What is wrong with the other form. */
  findings: Finding[];
  contradictions: Contradiction[];
}

/** The other forms in which an endpoint takes its body. */
export interface Forms {
  /** Their fields, for the OpenAPI document. */
  fields: z.ZodObject;
  read: (body: unknown) => Reading;
}

/** An object of the other form: its schema, and what its fields are called in ours. */
export interface Nested {
  at: string;
  schema: z.ZodType<Body | null | undefined>;
  names: Record<string, string>;
}

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names as a list or as a text with commas; the rules are those of our own field, a text. */
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

/** A text of names as the list that other clients read. */
export const listOf = (text: string | null): string[] => splitList(text ?? '');

/** Whether a field says nothing. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** Whether two values of a field say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isNothing(one) && isNothing(other)) return true;
  if (typeof one === 'string' && typeof other === 'string') {
    return listOf(one).join() === listOf(other).join();
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Lifted extends Reading {
  body: Body;
}

/** Takes the fields of a nested object up into the body, where that does not say otherwise. */
export function lift(given: Body, { at, schema, names: map }: Nested): Lifted {
  const { [at]: inner, ...body } = given;
  const findings = inner === undefined ? [] : findingsOf(schema, inner).map(within(at));
  const lifted: Lifted = { body, findings, contradictions: [] };
  if (findings.length > 0) return lifted;
  for (const [key, value] of Object.entries(schema.parse(inner) ?? {})) {
    const name = map[key];
    if (name === undefined || value === undefined) continue;
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

const contradicted = ({ name, path }: Contradiction): Finding => ({
  path,
  code: 'field.contradiction',
  params: { other: name },
});

/**
 * Where nothing is stored that could tell which form is meant, the one that says something holds;
 * answers what is wrong.
 */
export function preferGiven(body: Body, contradictions: Contradiction[]): Finding[] {
  return contradictions.flatMap((one) => {
    if (isNothing(one.value)) return [];
    if (!isNothing(body[one.name])) return [contradicted(one)];
    body[one.name] = one.value;
    return [];
  });
}

/**
 * Of two forms that say different things, the one that differs from what is stored is the change:
 * clients read both, change one and send both. Changes the body, and answers what is wrong.
 */
export function settle(body: Body, stored: Body, contradictions: Contradiction[]): Finding[] {
  return contradictions.flatMap((one) => {
    const before = stored[one.name];
    if (isSame(before, one.value)) return [];
    if (!isSame(before, body[one.name])) return [contradicted(one)];
    body[one.name] = one.value;
    return [];
  });
}
