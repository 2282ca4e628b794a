// Reads one part of a request with its schema; what zod finds becomes field errors.

import type { z } from 'zod';
import { isFieldCode, type FieldError } from '#shared/errors.ts';
import { failFields, fieldError } from '../errors.ts';

export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // Without the input, a wrong type looks like an absent field.
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw failFields(...result.error.issues.map(toFieldError));
}

type Issue = z.core.$ZodIssue;

function toFieldError(issue: Issue): FieldError {
  const path = issue.path.map(String).join('.');
  if (isFieldCode(issue.message)) return fieldError(path, issue.message);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input == null
        ? fieldError(path, 'field.required')
        : fieldError(path, 'field.type', { expected: issue.expected });
    case 'too_big':
      return tooBig(path, issue);
    case 'too_small':
      return issue.origin === 'string'
        ? fieldError(path, 'field.too_short', { min: Number(issue.minimum) })
        : fieldError(path, 'field.range');
    case 'invalid_value':
      return fieldError(path, 'field.option', { options: issue.values.map(quoted).join(', ') });
    case 'unrecognized_keys':
      return fieldError([path, issue.keys[0]].filter(Boolean).join('.'), 'field.unknown');
    default:
      return fieldError(path, 'field.invalid');
  }
}

function tooBig(path: string, issue: Extract<Issue, { code: 'too_big' }>): FieldError {
  const max = Number(issue.maximum);
  if (issue.origin === 'string') return fieldError(path, 'field.too_long', { max });
  if (issue.origin === 'array') return fieldError(path, 'field.too_many', { max });
  return fieldError(path, 'field.range');
}

const quoted = (value: unknown): string => (value === '' ? '""' : String(value));

/** Ids that a body repeats must be those of the address. */
export function checkMirroredIds(body: unknown, params: Record<string, unknown>): void {
  if (typeof body !== 'object' || body === null) return;
  const { id, project_id: projectId } = body as Record<string, unknown>;
  const own = Object.keys(params).findLast((name) => name !== 'project_id');
  const wrong: FieldError[] = [];
  if (projectId != null && 'project_id' in params && projectId !== params['project_id']) {
    wrong.push(fieldError('project_id', 'field.mismatch'));
  }
  // Forms for something new may send an id of 0.
  if (id != null && id !== 0 && own && id !== params[own]) {
    wrong.push(fieldError('id', 'field.mismatch'));
  }
  if (wrong.length > 0) throw failFields(...wrong);
}
