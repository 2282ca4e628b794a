// Validates a part of a request and converts zod issues to field errors.

import type { z } from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { Reading } from '#shared/compatible/forms.ts';
import type { FieldError } from '#shared/errors.ts';
import { toFindings } from '#shared/field-errors.ts';
import {
  failFields,
  fieldError,
  MAX_FIELD_ERRORS,
  refusalOf,
  refuseFindings,
} from '../lib/errors.ts';

export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // Without `reportInput`, zod does not distinguish a wrong type from a missing field.
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw refusalOf(result.error.issues.slice(0, MAX_FIELD_ERRORS).flatMap(toFindings));
}

/** Converts bodies of other API versions to ours. */
export function readForms({ forms }: Endpoint, given: unknown): Omit<Reading, 'findings'> {
  if (!forms) return { body: given };
  const { findings, ...reading } = forms.read(given);
  refuseFindings(findings);
  return reading;
}

export function checkMirroredIds(body: unknown, params: Record<string, unknown>): void {
  if (typeof body !== 'object' || body === null) return;
  const given = body as Record<string, unknown>;
  const { id } = given;
  const own = Object.keys(params).findLast((name) => name !== 'project_id');
  const wrong: FieldError[] = Object.entries(params)
    .filter(([name, value]) => given[name] != null && given[name] !== value)
    .map(([name]) => fieldError(name, 'field.mismatch'));
  // New resources may be sent with the id 0.
  if (id != null && id !== 0 && own && id !== params[own]) {
    wrong.push(fieldError('id', 'field.mismatch'));
  }
  if (wrong.length > 0) throw failFields(...wrong);
}
