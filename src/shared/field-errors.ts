// Converts the issues of a zod schema into field codes, in the same way on the server and in forms.

import type { z } from 'zod';
import type { FieldCode } from './catalogue/field-errors.ts';
import type { Params } from './catalogue/catalogue.ts';

export interface Finding {
  path: string;
  code: FieldCode;
  params?: Params;
}

/** All errors of a value; empty: valid. */
export function findingsOf(schema: z.ZodType, value: unknown): Finding[] {
  // Without `reportInput`, zod reports a wrong type and an absent field in the same way.
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap(toFindings);
}

type Issue = z.core.$ZodIssue;

/** Whether the message is a code of a schema, not a sentence of zod, without loading the texts of all codes. */
const isCode = (message: string): message is FieldCode => /^[a-z_]+\.[a-z_]+$/.test(message);

/** Only the first unknown fields are reported. */
const MAX_UNKNOWN = 100;

/** One finding, or one for each unknown field. */
export function toFindings(issue: Issue): Finding[] {
  if (issue.code !== 'unrecognized_keys') return [toFinding(issue)];
  const path = issue.path.map(String);
  return issue.keys
    .slice(0, MAX_UNKNOWN)
    .map((key) => ({ path: [...path, key].join('.'), code: 'field.unknown' }));
}

function toFinding(issue: Issue): Finding {
  const path = issue.path.map(String).join('.');
  if (isCode(issue.message)) return { path, code: issue.message };
  switch (issue.code) {
    case 'invalid_type':
      return issue.input == null
        ? { path, code: 'field.required' }
        : { path, code: 'field.type', params: { expected: issue.expected } };
    case 'too_big':
      return tooBig(path, issue);
    case 'too_small':
      return issue.origin === 'string'
        ? { path, code: 'field.too_short', params: { min: Number(issue.minimum) } }
        : { path, code: 'field.range' };
    case 'invalid_value': {
      const options = issue.values.map(quoted).join(', ');
      return { path, code: 'field.option', params: { options } };
    }
    default:
      return { path, code: 'field.invalid' };
  }
}

function tooBig(path: string, issue: Extract<Issue, { code: 'too_big' }>): Finding {
  const max = Number(issue.maximum);
  if (issue.origin === 'string') return { path, code: 'field.too_long', params: { max } };
  if (issue.origin === 'array') return { path, code: 'field.too_many', params: { max } };
  return { path, code: 'field.range' };
}

const quoted = (value: unknown): string => (value === '' ? '""' : String(value));
