// Whoever puts a key, an inventory or the like into something needs the right to use it. The fields of the contract
// that do so are marked with the right.

import type { z } from 'zod';
import { includesAll, type Right } from '#shared/rights.ts';
import { fieldsIn, valuesAt } from '#shared/api/schema-fields.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import { isGovernedNoun } from '../db/rights/object-rights.store.ts';
import type { ObjectRef, ObjectRights } from '../db/rights/object-rights.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { requireRight, type Access, type Gate } from './actor.ts';

interface Use {
  path: string[];
  right: Right;
}

const known = new WeakMap<z.ZodType, Use[]>();

function usesIn(schema: z.ZodType): Use[] {
  const found = known.get(schema);
  if (found) return found;
  const uses = fieldsIn(schema).flatMap(({ path, schema: field }) => {
    const right = field.meta()?.['uses'] as Right | undefined;
    return right ? [{ path, right }] : [];
  });
  known.set(schema, uses);
  return uses;
}

/** Whether a field of the schema needs the right on what it names. */
export const usesRight = (schema: z.ZodType, right: Right): boolean =>
  usesIn(schema).some((use) => use.right === right);

const isNothing = (value: unknown): boolean =>
  value == null || value === 0 || (Array.isArray(value) && value.length === 0);

/** Whose request it is, in which project. */
export interface User {
  access: Access;
  projectId: number;
  governing: Gate['governing'];
}

/** What is checked: a body, or the stored values that a change keeps. */
export interface Used {
  schema: z.ZodType;
  value: unknown;
  /** The right of the endpoint, which is about the object itself; null for stored values. */
  ofEndpoint: string | null;
}

/** Whether the caller may put anything into the fields of a schema. */
export const mayUseAll = (access: Access, schema: z.ZodType): boolean =>
  !access.objects && includesAll(access.rights, new Set(usesIn(schema).map(({ right }) => right)));

/** Throws when a value names something that the caller may not use, or does not see. */
export async function requireUses(user: User, used: Used): Promise<void> {
  const objects = (await user.access.objects?.()) ?? null;
  for (const { path, right } of usesIn(used.schema)) {
    const values = valuesAt(used.value, path).filter((one) => !isNothing(one));
    if (values.length === 0) continue;
    if (objects) await requireUse(user, used, { objects, path, right, values });
    else requireRight(user.access, right);
  }
}

async function requireUse(
  { projectId, governing }: User,
  { ofEndpoint }: Used,
  {
    objects,
    path,
    right,
    values,
  }: { objects: ObjectRights; path: string[]; right: Right; values: unknown[] },
): Promise<void> {
  const noun = right.slice(0, right.indexOf('.'));
  if (!isGovernedNoun(noun)) {
    requireRight({ rights: objects.ofRole }, right);
    return;
  }
  for (const id of values.flat().map(Number)) {
    const object = await governing(projectId, { noun, id });
    if (!isSeen(objects, object)) {
      // As for an id that does not exist.
      if (right === ofEndpoint) throw fail(`${noun}.not_found` as ErrorCode & 'task.not_found');
      if (ofEndpoint !== null) {
        throw failFields(
          fieldError(path.filter((step) => step !== '*').join('.'), 'field.reference'),
        );
      }
    }
    if (object) requireRight({ rights: objects.on(object) }, right);
  }
}

const isSeen = (objects: ObjectRights, object: ObjectRef | null): boolean =>
  object !== null && objects.sees(object);
