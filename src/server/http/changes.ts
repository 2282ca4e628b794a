// Completes the body of a PUT or PATCH from the stored values.

import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { fieldsOf, fieldsOfPatch, type Merge } from '#shared/api/patches.ts';
import { type Body, isBody } from '#shared/compatible/forms.ts';
import { fail, failFields, fieldError, refuseFindings } from '../lib/errors.ts';
import { readForms, validate } from './validate.ts';

export interface Change {
  body: unknown;
  /** The revision of the stored values that were merged; null if none were read. */
  revision: number | null;
}

/** Calls the handler of the GET at the same path. */
type ReadCurrent = () => Promise<unknown>;

/**
 * With all required fields the body replaces the stored values, except missing fields of `kept`, which
 * limit a run or restrict access. Otherwise it is a partial update.
 */
export async function replacement(
  { put, reader }: Merge,
  given: unknown,
  read: ReadCurrent,
): Promise<Change> {
  const { body, kept: unknown = [] } = readForms(put, given);
  if (!isBody(body)) return { body: validate(put.body, body), revision: null };
  const isPartial = namesField(put, body) && missingIn(put.body, body).length > 0;
  const kept = [...put.kept, ...unknown];
  const isWhole = kept.every((path) => valueAt(body, path) !== undefined);
  if (!isPartial && isWhole) return { body: validate(put.body, body), revision: null };
  const stored = storedBy({ put, reader }, await read());
  const whole = isPartial ? { ...stored.body, ...body } : body;
  const filled = kept.reduce((all, path) => fillAt(all, stored.body, path), whole);
  return { body: validate(put.body, filled), revision: stored.revision };
}

/** Whether the body has a field that is not also a path parameter. */
function namesField(put: Endpoint, body: Body): boolean {
  const repeated = new Set(['id', ...fieldsOf(put.params)]);
  return fieldsOf(put.body).some((name) => Object.hasOwn(body, name) && !repeated.has(name));
}

const valueAt = (body: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isBody(value) ? value[name] : undefined), body);

/** Fills a missing value from the stored object. */
function fillAt(body: Body, stored: Body, path: string): Body {
  const [name = '', ...rest] = path.split('.');
  const [mine, theirs] = [body[name], stored[name]];
  if (rest.length === 0) return mine === undefined ? { ...body, [name]: theirs } : body;
  if (!isBody(mine) || !isBody(theirs)) return body;
  return { ...body, [name]: fillAt(mine, theirs, rest.join('.')) };
}

/** Applies a JSON merge patch (RFC 7396). */
export async function merged(
  { put, reader }: Merge,
  given: unknown,
  read: ReadCurrent,
): Promise<Change> {
  if (!isBody(given)) throw failFields(fieldError('', 'field.type', { expected: 'object' }));
  refuseUnknown({ put, reader }, given);
  const { body } = readForms(put, given);
  const stored = storedBy({ put, reader }, await read());
  const whole: Body = { ...stored.body };
  for (const [name, value] of Object.entries(body as Body)) {
    // For the schemas, null means the same as a missing field.
    whole[name] = value === null ? null : mergePatch(whole[name], value);
  }
  return { body: validate(put.body, whole), revision: stored.revision };
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

function missingIn(schema: z.ZodType, body: Body): string[] {
  const { error } = schema.safeParse(body);
  const names = (error?.issues ?? []).map(({ path }) => String(path[0]));
  return [...new Set(names)].filter((name) => body[name] === undefined);
}

/** A misspelt field of a PATCH would otherwise change nothing. */
function refuseUnknown(pair: Pair, given: Body): void {
  const known = new Set(fieldsOfPatch(pair));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  refuseFindings(unknown.map((path) => ({ path, code: 'field.unknown' })));
}

/** The revision that a request changes; null for any. */
export function readIfMatch(request: FastifyRequest): number | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const revision = /^(?:W\/)?"r(\d{1,9})"$/.exec(header.trim())?.[1];
  if (revision === undefined) throw fail('request.stale');
  return Number(revision);
}
