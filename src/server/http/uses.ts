// Whoever puts a key, an inventory or the like into something needs the right to use it. The fields of the contract
// that do so are marked with the right.

import type { z } from 'zod';
import { includesAll, type Right } from '#shared/rights.ts';
import { fieldsIn, placesAt, valuesAt } from '#shared/api/schema-fields.ts';
import {
  type GovernedNoun,
  isGovernedNoun,
  isGrantedType,
  typesFor,
} from '../db/rights/governing.store.ts';
import type { ObjectRef, ObjectRights } from '../db/rights/object-rights.ts';
import { unseenId } from '../lib/unseen-ids.ts';
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
  /** The stored values, whose references may stay although the caller does not see them. */
  kept?: unknown;
}

/** Whether the caller may put anything into the fields of a schema. */
export const mayUseAll = (access: Access, schema: z.ZodType): boolean =>
  !access.objects && includesAll(access.rights, new Set(usesIn(schema).map(({ right }) => right)));

/**
 * Throws when a value names something that the caller may not use. What they do not see is replaced by an id
 * that nothing has, so that it is refused like everything that does not exist.
 */
export async function requireUses(user: User, used: Used): Promise<void> {
  const objects = (await user.access.objects?.()) ?? null;
  for (const { path, right } of usesIn(used.schema)) {
    const isSeeing = right.endsWith('.see');
    if (isSeeing && used.ofEndpoint === null) continue;
    const kept = isSeeing ? valuesAt(used.kept, path).flat() : [];
    for (const { holder, key } of placesAt(used.value, path)) {
      const id = holder[key];
      if (id == null || id === 0 || kept.includes(id)) continue;
      if (!objects) requireRight(user.access, right);
      else if (!(await mayUse(user, objects, right, Number(id))))
        holder[key] = unseenId(Number(id));
    }
  }
}

/** Whether the caller sees it. Throws without the right on it. */
async function mayUse(
  user: User,
  objects: ObjectRights,
  right: Right,
  id: number,
): Promise<boolean> {
  const noun = right.slice(0, right.indexOf('.'));
  if (!isGovernedNoun(noun)) {
    requireRight({ rights: objects.ofRole }, right);
    return true;
  }
  const object = await governingOf(user, objects, { noun, id });
  const isSeen = object !== null && objects.sees(object);
  if (isSeen) requireRight({ rights: objects.on(object) }, right);
  else if (objects.showsByRole(...typesFor(noun))) {
    requireRight({ rights: objects.ofRole }, right);
  }
  return isSeen;
}

/** What the caller has a grant on exists, which takes no statement. */
async function governingOf(
  { projectId, governing }: User,
  objects: ObjectRights,
  { noun, id }: { noun: GovernedNoun; id: number },
): Promise<ObjectRef | null> {
  const own: ObjectRef | null = isGrantedType(noun) ? { type: noun, id } : null;
  return own && objects.grantsOn(own).length > 0 ? own : governing(projectId, { noun, id });
}
