// The kinds of field that the schemas of all nouns are made of.
// A message that is passed to zod is a field code of errors.ts, which names the words people see.

import { z } from 'zod';
import { isEnvironmentName } from './environment-names.ts';
import type { ErrorCode } from './catalogue/errors.ts';
import type { FieldCode } from './catalogue/field-errors.ts';
import { readGitReference } from './git/git-reference.ts';
import { isDeeperThan } from './json-depth.ts';

/** The largest id: with at most 15 digits, it is an exact number. */
const maxId = 999_999_999_999_999;

/** Reads a number of a path or query, which clients send as digits; the schema describes the number. */
const fromDigits =
  (pattern: RegExp) =>
  (given: number | string): unknown =>
    typeof given === 'string' && pattern.test(given) ? Number(given) : given;

/** An id in a path or query. */
export const idParam = z.preprocess(
  fromDigits(/^[1-9]\d{0,14}$/),
  z.number({ error: 'field.invalid' }).int().min(1).max(maxId),
);

/**
 * Marks the schema of a parameter in a path that names a resource. `missing`: the code of the refusal
 * when there is no such resource.
 */
export const naming = <S extends z.ZodType>(schema: S, missing: ErrorCode): S =>
  schema.meta({ missing });

/** The id of a resource in a path. */
export const idOf = (missing: ErrorCode) => naming(idParam, missing);

export const id = z.number().int().positive().max(maxId);

/** A whole number in a query that counts from 1, such as that of a line. */
export const numberParam = (max = 999_999_999) =>
  z.preprocess(
    fromDigits(/^\d{1,9}$/),
    z
      .number({ error: ({ code }) => (code === 'invalid_type' ? 'field.integer' : undefined) })
      .int()
      .min(1)
      .max(max),
  );

/** A time in UTC as ISO 8601 with milliseconds. The width is fixed, so the texts sort like the times. */
export const time = z.iso.datetime();

/** A time in a query, in UTC and of any precision; it is read as one with milliseconds. */
export const timeParam = time.transform((text) => new Date(text).toISOString());

export const noControls = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);

// PostgreSQL cannot store the character NUL in a text, while SQLite can. Both refuse it here.
const noNul = (text: string): boolean => !text.includes('\u0000');

/** One line of text that must not be empty; `required` is the code of the error when it is. */
export function line(max: number, required: FieldCode = 'field.required') {
  return z
    .string({ error: (issue) => (issue.input == null ? required : undefined) })
    .trim()
    .min(1, { error: required })
    .max(max)
    .refine((value) => noControls(value) && !/[\r\n]/.test(value), {
      error: 'field.control_characters',
    });
}

/** One line of text that may be empty or absent. */
export function optionalLine(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .refine((value) => noControls(value) && !/[\r\n]/.test(value), {
      error: 'field.control_characters',
    });
}

/** Text of several lines. */
export function multiline(max: number) {
  return z.string().max(max).refine(noNul, { error: 'field.control_characters' });
}

/**
 * Marks a field that holds a secret. In a body: a value that the API never answers. In a reply: a
 * value that the server has created and shows only this once. test/security/secret-fields.test.ts
 * checks that every secret field is marked.
 */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ secret: true });
}

/** A nullable field that a body may leave out. */
export function nullable<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? null);
}

/** An optional reference by id. Clients of languages without null send 0 for none. */
export const optionalId = nullable(z.number().int().min(0).max(maxId)).transform(
  (given) => given || null,
);

/** An optional field; null means the same as a missing field. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .transform((given) => given ?? undefined)
    .optional();
}

/** An optional field with a default, which null and a missing field get. */
export function initially<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema
    .nullish()
    .transform((given) => given ?? value)
    .meta({ default: value });
}

/** The body of an endpoint that only switches something on or off. */
export const switchBody = z.object({ active: initially(z.boolean(), false) });

/** Values that forms send when nothing has been chosen. */
export const isMissing = (input: unknown): boolean => input == null || input === '';

/** A required reference by id; `required` is the code of the error when it is missing. */
export function requiredId(required: FieldCode) {
  return z
    .number({ error: (issue) => (isMissing(issue.input) ? required : undefined) })
    .int()
    .positive()
    .max(maxId);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Code that reads the JSON later recurses as deep as it is nested.
const isShallow = (text: string): boolean => !isDeeperThan(100, text);

/** The text of a JSON object; an empty text means `{}`. */
export const jsonObjectText = multiline(256 * 1024)
  .refine(isShallow, { error: 'field.json_depth' })
  .transform((text) => (text.trim() === '' ? '{}' : text))
  .refine((text) => isObject(parsed(text)), { error: 'field.json_object' });

/** The text of a JSON object whose values are plain: for process environments. */
export const jsonEnvText = jsonObjectText
  .refine((text) => entriesOf(text).every(([, entry]) => typeof entry !== 'object'), {
    error: 'field.json_strings',
  })
  .refine((text) => entriesOf(text).every(([name]) => isEnvironmentName(name)), {
    error: 'environment.process_name',
  });

const entriesOf = (text: string): [string, unknown][] => {
  const value = parsed(text);
  return isObject(value) ? Object.entries(value) : [];
};

/** The text of a JSON array of texts, or an empty one. */
export const jsonArgumentsText = multiline(64 * 1024)
  .refine(isShallow, { error: 'field.json_depth' })
  .nullish()
  .transform((text) => (text?.trim() === '' ? '' : (text ?? null)))
  .refine(
    (text) => {
      if (!text) return true;
      const value = parsed(text);
      // An argument of a program cannot contain NUL, which JSON can contain as an escape.
      return Array.isArray(value) && value.every((one) => typeof one === 'string' && noNul(one));
    },
    { error: 'field.json_array' },
  );

/** A path inside a repository: relative, no `..`, no leading dash. */
export const insidePath = (max: number, required: FieldCode) =>
  line(max, required)
    .refine((path) => !path.startsWith('-'), { error: 'field.leading_dash' })
    .refine((path) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..'), {
      error: 'field.path',
    });

const noTemplate = (text: string): boolean => !/\{[{%#]/.test(text);

/** Names of tags between commas. Some clients send them in lines, which stay in what is read back. */
export const tagNames = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(noControls, { error: 'field.control_characters' })
    .refine((text) => !text.startsWith('-'), { error: 'field.leading_dash' })
    .refine(noTemplate, { error: 'field.template_signs' });

/** The tags as programs take them: between commas. */
export const tagArgument = (text: string): string =>
  text
    .split(/[\r\n,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(',');

/** A text that becomes one argument of a program. */
export const argument = (max: number) =>
  optionalLine(max).refine((text) => !text.startsWith('-'), { error: 'field.leading_dash' });

/** The exact name of a branch or tag, or a full commit id; empty for none. */
export const gitReference = (max: number) =>
  argument(max).refine(
    (text) => text === '' || text.startsWith('-') || readGitReference(text) !== null,
    { error: 'field.git_reference' },
  );

/**
 * A line that Ansible passes to playbooks as a variable. Ansible would evaluate templates in it, and
 * templates can run programs on the server, so they are refused.
 */
export const plainArgument = (max: number) =>
  argument(max).refine(noTemplate, { error: 'field.template_signs' });

/** A pattern of hosts and groups. For a name that begins with @, Ansible would read a file of the server. */
export const hostPattern = (max: number) =>
  plainArgument(max).refine((text) => !/(?:^|[^\w.-])@/.test(text), { error: 'field.host_file' });
