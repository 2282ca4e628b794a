// The kinds of fields in the schemas of all nouns. A message for zod is a field code, whose sentence users see.

import { z } from 'zod';
import { isEnvironmentName } from './environment-names.ts';
import type { ErrorCode } from './catalogue/errors.ts';
import type { FieldCode } from './catalogue/field-errors.ts';
import { readGitReference } from './git/git-reference.ts';
import { isDeeperThan } from './json-depth.ts';
import type { Right } from './rights.ts';

/** With at most 15 digits, it is an exact number. */
const maxId = 999_999_999_999_999;

/** A number in a path or query, which clients send as digits; the schema describes the number. */
const fromDigits =
  (pattern: RegExp) =>
  (given: number | string): unknown =>
    typeof given === 'string' && pattern.test(given) ? Number(given) : given;

export const idParam = z.preprocess(
  fromDigits(/^[1-9]\d{0,14}$/),
  z.number({ error: 'field.invalid' }).int().min(1).max(maxId),
);

/** Marks a path parameter of a resource; `missing`: the code of the refusal when it does not exist. */
export const naming = <S extends z.ZodType>(schema: S, missing: ErrorCode): S =>
  schema.meta({ missing });

/** Marks a field that names what is used; whoever fills it in needs the right. */
export const using = <S extends z.ZodType>(uses: Right, schema: S): S => schema.meta({ uses });

export const idOf = (missing: ErrorCode) => naming(idParam, missing);

export const id = z.number().int().positive().max(maxId);

/** An integer from 1 in a query, such as a line number. */
export const numberParam = (max = 999_999_999) =>
  z.preprocess(
    fromDigits(/^\d{1,9}$/),
    z
      .number({ error: ({ code }) => (code === 'invalid_type' ? 'field.integer' : undefined) })
      .int()
      .min(1)
      .max(max),
  );

/** UTC in ISO 8601 with milliseconds, whose fixed width makes texts sort like times. */
export const time = z.iso.datetime();

/** A time in a query, in UTC and of any precision. */
export const timeParam = time.transform((text) => new Date(text).toISOString());

const isOneLine = (text: string): boolean => noControls(text) && !/[\r\n]/.test(text);

export const noControls = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);

// PostgreSQL cannot store NUL in a text, but SQLite can. Both refuse it here.
const noNul = (text: string): boolean => !text.includes('\u0000');

/** One line of text that must not be empty; `required`: the code of the error if it is. */
export function line(max: number, required: FieldCode = 'field.required') {
  return z
    .string({ error: (issue) => (issue.input == null ? required : undefined) })
    .trim()
    .min(1, { error: required })
    .max(max)
    .refine(isOneLine, { error: 'field.control_characters' });
}

/** One line of text that may be empty. */
export function optionalLine(max: number) {
  return z.string().trim().max(max).refine(isOneLine, { error: 'field.control_characters' });
}

export function multiline(max: number) {
  return z.string().max(max).refine(noNul, { error: 'field.control_characters' });
}

/**
 * Marks a secret field. In a body: a write-only value. In a reply: a value of the server that is shown only once.
 * test/security/secret-fields.test.ts checks that every secret field is marked.
 */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ secret: true });
}

/** Absent fields are null. */
export function nullable<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? null);
}

/** An optional reference by id. Clients of languages without null send 0 for none. */
export const optionalId = nullable(z.number().int().min(0).max(maxId)).transform(
  (given) => given || null,
);

/** Null is equivalent to an absent field. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .transform((given) => given ?? undefined)
    .optional();
}

/** Null and absent fields get the default. */
export function initially<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema
    .nullish()
    .transform((given) => given ?? value)
    .meta({ default: value });
}

/** A whole number from 0, which is the default. */
export const numberUpTo = (max: number) =>
  initially(z.number().int().min(0, { error: 'field.zero_or_more' }).max(max), 0);

/** The body of endpoints that switch something on or off. */
export const switchBody = z.object({ active: initially(z.boolean(), false) });

/** Values that forms send without a choice. */
export const isMissing = (input: unknown): boolean => input == null || input === '';

/** A required reference by id; `required`: the code of the error if it is absent. */
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

// Later code recurses as deep as the JSON is nested.
const isShallow = (text: string): boolean => !isDeeperThan(100, text);

/** A JSON object as text; an empty text means `{}`. */
export const jsonObjectText = multiline(256 * 1024)
  .refine(isShallow, { error: 'field.json_depth' })
  .transform((text) => (text.trim() === '' ? '{}' : text))
  .refine((text) => isObject(parsed(text)), { error: 'field.json_object' });

/** A JSON object of plain values as text, for process environments. */
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

/** A JSON array of texts as text; may be empty. */
export const jsonArgumentsText = multiline(64 * 1024)
  .refine(isShallow, { error: 'field.json_depth' })
  .nullish()
  .transform((text) => (text?.trim() === '' ? '' : (text ?? null)))
  .refine(
    (text) => {
      if (!text) return true;
      const value = parsed(text);
      // An argument of a program cannot contain NUL, which JSON can escape.
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

/** Comma-separated tags. Some clients send lines, which are kept. */
export const tagNames = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(noControls, { error: 'field.control_characters' })
    .refine((text) => !text.startsWith('-'), { error: 'field.leading_dash' })
    .refine(noTemplate, { error: 'field.template_signs' });

/** Tags as programs expect them, with commas. */
export const tagArgument = (text: string): string =>
  text
    .split(/[\r\n,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(',');

export const argument = (max: number) =>
  optionalLine(max).refine((text) => !text.startsWith('-'), { error: 'field.leading_dash' });

/** The exact name of a branch or tag, or a full commit id; empty: none. */
export const gitReference = (max: number) =>
  argument(max).refine(
    (text) => text === '' || text.startsWith('-') || readGitReference(text) !== null,
    { error: 'field.git_reference' },
  );

/** A line that Ansible passes to playbooks as a variable. Templates are refused: they could run programs on the server. */
export const plainArgument = (max: number) =>
  argument(max).refine(noTemplate, { error: 'field.template_signs' });

/** A pattern of hosts and groups. Names that begin with @ are refused: Ansible would read a file of the server. */
export const hostPattern = (max: number) =>
  plainArgument(max).refine((text) => !/(?:^|[^\w.-])@/.test(text), { error: 'field.host_file' });
