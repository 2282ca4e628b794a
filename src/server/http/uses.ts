// Whoever puts a key, an inventory or the like into something needs the right to use it. The fields of the contract
// that do so are marked with the right.

import type { z } from 'zod';
import { includesAll, type Right, type Rights } from '#shared/rights.ts';
import { fieldsIn, valuesAt } from '#shared/api/schema-fields.ts';
import { requireRight } from './actor.ts';

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

/** Whether somebody with these rights may put anything into the fields of a schema. */
export const mayUseAll = (rights: Rights, schema: z.ZodType): boolean =>
  includesAll(rights, new Set(usesIn(schema).map(({ right }) => right)));

const isNothing = (value: unknown): boolean =>
  value == null || value === 0 || (Array.isArray(value) && value.length === 0);

/** Throws when a value names something that the rights do not allow to use. */
export function requireUses(rights: Rights, schema: z.ZodType, value: unknown): void {
  for (const { path, right } of usesIn(schema)) {
    const isUsed = valuesAt(value, path).some((one) => !isNothing(one));
    if (isUsed) requireRight({ rights }, right);
  }
}
