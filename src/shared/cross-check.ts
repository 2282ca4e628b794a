// Validations of several fields of a body. By default, zod runs them only when every field is valid, so that users would
// fix one field and then see the next error.

import type { z } from 'zod';
import type { FieldCode } from './catalogue/field-errors.ts';

/** Validated fields have their type; others may have any value. */
type CheckedFields<Fields, Name extends keyof Fields> = Pick<Fields, Name> & {
  [Other in Exclude<keyof Fields, Name>]?: unknown;
};

/** The name of a field, or the path of fields inside it, where `*` is any entry of a list. */
type PathOf<Name extends string> = Name | `${Name}.${string}`;
type NameOf<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;

export type Refuse = (path: string, code: FieldCode) => void;

/** Refuses the field with all errors of the schema. */
type RefuseBy = (path: string, schema: z.ZodType, value: unknown) => void;

/** Adds a validation, which runs when all fields that it reads are valid by themselves. */
export type AddCheck<Fields> = <Path extends PathOf<keyof Fields & string>>(
  reads: readonly Path[],
  check: (
    value: CheckedFields<Fields, NameOf<Path> & keyof Fields>,
    refuse: Refuse,
    refuseBy: RefuseBy,
  ) => void,
) => void;

/** The schema of an object with the validations that `addAll` adds. */
export function crossCheck<S extends z.ZodObject>(
  schema: S,
  addAll: (add: AddCheck<z.output<S>>) => void,
): S {
  let checked = schema;
  addAll((reads, check) => {
    checked = checked.superRefine(
      (value, context) => {
        const refuse = (path: string, message: string, rest: object = { code: 'custom' }): void =>
          context.addIssue({ ...rest, path: path.split('.'), message, [crossing]: true } as never);
        check(value as never, refuse, (path, one, input) => {
          const { error } = one.safeParse(input, { reportInput: true });
          for (const issue of error?.issues ?? []) refuse(path, issue.message, issue);
        });
      },
      {
        when: ({ issues, value }) =>
          isObject(value) && !issues.some((issue) => reads.some((path) => spoils(issue, path))),
        // For tests, which find the validations by it.
        reads,
      } as { when: (payload: z.core.ParsePayload) => boolean },
    );
  });
  return goingOn(checked);
}

/** By default, zod runs no refinement of an object after a field has aborted, as a fraction instead of an integer does. */
function goingOn<S extends z.ZodObject>(schema: S): S {
  const { _zod: inner } = schema;
  const { parse } = inner;
  inner.parse = (payload, context) => {
    const parsed = parse(payload, context);
    // Only asynchronous schemas return a promise.
    if (parsed instanceof Promise) return parsed;
    const ending = parsed.issues.filter(({ continue: goesOn }) => goesOn === false);
    for (const issue of ending) Object.assign(issue, { continue: undefined });
    return parsed;
  };
  return schema;
}

/** Marks issues of such validations: the next one may still read the same field. */
const crossing = Symbol('crossing');

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Whether the issue concerns the read field, or one that contains it. */
function spoils(issue: z.core.$ZodRawIssue, read: string): boolean {
  if (crossing in issue) return false;
  const [at, names] = [issue.path ?? [], read.split('.')];
  // Unknown fields do not affect others.
  if (at.length === 0) return issue.code !== 'unrecognized_keys';
  return names.every(
    (name, level) => level >= at.length || name === '*' || name === String(at[level]),
  );
}
