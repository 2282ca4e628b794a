// Reads one part of a request with its schema; what zod finds becomes field errors.

import type { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { isBody, preferGiven, type Reading } from '#shared/compatible/forms.ts';
import type { FieldError } from '#shared/errors.ts';
import { toFinding } from '#shared/field-errors.ts';
import { failFields, fieldError, refusalOf, refuseFindings } from '../errors.ts';

export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // Without the input, a wrong type looks like an absent field.
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw refusalOf(result.error.issues.map(toFinding));
}

/**
 * Puts the body of a request into our own form. What is new has nothing stored that could tell which
 * of two forms is meant.
 */
export function readForms({ forms, method }: Endpoint, given: unknown): Omit<Reading, 'findings'> {
  if (!forms) return { body: given, contradictions: [] };
  const { body, findings, contradictions } = forms.read(given);
  if (method !== 'POST' || !isBody(body)) {
    refuseFindings(findings);
    return { body, contradictions };
  }
  refuseFindings([...findings, ...preferGiven(body, contradictions)]);
  return { body, contradictions: [] };
}

/** Ids that a body repeats must be those of the address. */
export function checkMirroredIds(body: unknown, params: Record<string, unknown>): void {
  if (typeof body !== 'object' || body === null) return;
  const given = body as Record<string, unknown>;
  const { id } = given;
  const own = Object.keys(params).findLast((name) => name !== 'project_id');
  const wrong: FieldError[] = Object.entries(params)
    .filter(([name, value]) => given[name] != null && given[name] !== value)
    .map(([name]) => fieldError(name, 'field.mismatch'));
  // Forms for something new may send an id of 0.
  if (id != null && id !== 0 && own && id !== params[own]) {
    wrong.push(fieldError('id', 'field.mismatch'));
  }
  if (wrong.length > 0) throw failFields(...wrong);
}
