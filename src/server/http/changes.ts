// Completes the body of a change from what is stored: a PATCH may leave out any field, and a PUT
// required ones.

import { z } from 'zod';
import type { Merge } from '#shared/api/patches.ts';
import { type Body, type Contradiction, isBody } from '#shared/compatible/forms.ts';
import { failFields, fieldError } from '../lib/errors.ts';
import { readForms, validate } from './validate.ts';

export interface Change {
  /** The whole body, as the schema of the PUT reads it. */
  body: unknown;
  contradictions: Contradiction[];
  /** The revision of the stored values that completed the body; null if nothing was read. */
  revision: number | null;
}

/** Answers the same as the GET at the same path. */
type Read = () => Promise<unknown>;

/**
 * The body of a PUT: a missing required field keeps its value, a missing optional one is cleared.
 */
export async function replacement(
  { put, reader }: Merge,
  given: unknown,
  read: Read,
): Promise<Change> {
  const { body, contradictions } = readForms(put, given);
  if (!isBody(body) || missingIn(put.body, body).length === 0) {
    return { body: validate(put.body, body), contradictions, revision: null };
  }
  const stored = storedBy({ put, reader }, await read());
  const whole = filled(put.body, body, stored.body);
  return { body: validate(put.body, whole), contradictions, revision: stored.revision };
}

/** The body of a PATCH, merged into what is stored as RFC 7396 says. */
export async function merged({ put, reader }: Merge, given: unknown, read: Read): Promise<Change> {
  if (!isBody(given)) throw failFields(fieldError('', 'field.type', { expected: 'object' }));
  refuseUnknown({ put, reader }, given);
  const { body, contradictions } = readForms(put, given);
  const stored = storedBy({ put, reader }, await read());
  const whole: Body = { ...stored.body };
  for (const [name, value] of Object.entries(body as Body)) {
    // For the schemas, null means the same as a missing field.
    whole[name] = value === null ? null : mergePatch(whole[name], value);
  }
  return { body: validate(put.body, whole), contradictions, revision: stored.revision };
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isBody(patch)) return patch;
  const entries = new Map(isBody(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) entries.delete(name);
    else entries.set(name, mergePatch(entries.get(name), value));
  }
  return Object.fromEntries(entries);
}

interface Stored {
  /** The body in our own form, as a PUT accepts it. */
  body: Body;
  revision: number | null;
}

type Pair = Pick<Merge, 'put' | 'reader'>;

function storedBy({ put, reader }: Pair, result: unknown): Stored {
  const { revision = null } = result as { revision?: number };
  const shown = reader.reply.parse(result);
  const body = (put.forms ? put.forms.read(shown).body : shown) as Body;
  return { body, revision };
}

/** The fields that the schema requires and the body lacks. */
function missingIn(schema: z.ZodType, body: Body): string[] {
  const { error } = schema.safeParse(body);
  const names = (error?.issues ?? []).map(({ path }) => String(path[0]));
  return [...new Set(names)].filter((name) => body[name] === undefined);
}

/**
 * The body with stored values for the missing required fields. A value may require further fields.
 */
function filled(schema: z.ZodType, given: Body, stored: Body): Body {
  const body = { ...given };
  for (;;) {
    const missing = missingIn(schema, body).filter((name) => stored[name] !== undefined);
    if (missing.length === 0) return body;
    for (const name of missing) body[name] = stored[name];
  }
}

/** An unknown field of a PATCH may be a misspelt name, and would change nothing. */
function refuseUnknown({ put, reader }: Pair, given: Body): void {
  const known = new Set([
    ...fieldsOf(put.body),
    ...(put.forms ? fieldsOf(put.forms.fields) : []),
    ...fieldsOf(reader.reply),
    ...fieldsOf(put.params),
    'id',
  ]);
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw failFields(...unknown.map((one) => fieldError(one, 'field.unknown')));
}

function fieldsOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return [...fieldsOf(schema.in), ...fieldsOf(schema.out)];
  return schema instanceof z.ZodUnion ? schema.options.flatMap((one) => fieldsOf(one)) : [];
}
