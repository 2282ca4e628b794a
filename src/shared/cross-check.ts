// Checks of several fields of a body together. By itself, zod runs them only when every field is valid,
// so that somebody would mend one field and then be told of the next.

import type { z } from 'zod';
import type { FieldCode } from './catalogue/field-errors.ts';

/** The fields that a check reads are valid by themselves; the others may have any value. */
type CheckedFields<Fields, Name extends keyof Fields> = Pick<Fields, Name> & {
  [Other in Exclude<keyof Fields, Name>]?: unknown;
};

/** The name of a field, or the path of fields inside it, where `*` stands for each entry of a list. */
type PathOf<Name extends string> = Name | `${Name}.${string}`;
type NameOf<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;

export type Refuse = (path: string, code: FieldCode) => void;

/** Refuses the field for everything that the schema finds wrong with the value. */
type RefuseBy = (path: string, schema: z.ZodType, value: unknown) => void;

/**
 * Adds a check to the schema. It runs when each of the fields that it reads is valid by itself, whatever
 * is wrong with others.
 */
export type AddCheck<Fields> = <Path extends PathOf<keyof Fields & string>>(
  reads: readonly Path[],
  check: (
    value: CheckedFields<Fields, NameOf<Path> & keyof Fields>,
    refuse: Refuse,
    refuseBy: RefuseBy,
  ) => void,
) => void;

/** The schema of an object with the checks of several fields that `addAll` adds. */
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
        // Zod does not read this; the tests find the checks by it.
        reads,
      } as { when: (payload: z.core.ParsePayload) => boolean },
    );
  });
  return goingOn(checked);
}

/**
 * By itself, zod runs no check of an object in which a field has ended its own checks early, as one that
 * is no whole number does.
 */
function goingOn<S extends z.ZodObject>(schema: S): S {
  const { _zod: inner } = schema;
  const { parse } = inner;
  inner.parse = (payload, context) => {
    const parsed = parse(payload, context);
    // Only schemas that wait for something answer a promise.
    if (parsed instanceof Promise) return parsed;
    const ending = parsed.issues.filter(({ continue: goesOn }) => goesOn === false);
    for (const issue of ending) Object.assign(issue, { continue: undefined });
    return parsed;
  };
  return schema;
}

/** Marks what such a check has found: the next check may read the same field nevertheless. */
const crossing = Symbol('crossing');

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Whether the issue lies in the field that is read, or in one that contains it. */
function spoils(issue: z.core.$ZodRawIssue, read: string): boolean {
  if (crossing in issue) return false;
  const [at, names] = [issue.path ?? [], read.split('.')];
  // An unknown field says nothing about those that are known.
  if (at.length === 0) return issue.code !== 'unrecognized_keys';
  return names.every(
    (name, level) => level >= at.length || name === '*' || name === String(at[level]),
  );
}
