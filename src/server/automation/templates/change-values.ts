import { type BulkTemplateValues, newTemplate } from '#shared/api/templates.ts';
import { toFindings } from '#shared/field-errors.ts';
import type { Context } from '../../context/context.ts';
import { refusalOf } from '../../lib/errors.ts';
import type { Mover } from '../../people/grants/moves.ts';
import { changeTemplate, type PlainTemplate, requireTemplate } from './templates.ts';

interface BulkChange {
  values: BulkTemplateValues;
  check: (stored: PlainTemplate) => Promise<void>;
  mover: Mover;
}

/**
 * Changes some values of a template, and refuses it if someone else changes it meanwhile. `check` throws if the caller
 * may not change a template with what the stored one uses.
 */
export async function changeValues(
  ctx: Context,
  projectId: number,
  id: number,
  { values, check, mover }: BulkChange,
): Promise<void> {
  const { revision, ...stored } = await requireTemplate(ctx, projectId, id);
  await check(stored);
  const { data, error } = newTemplate.safeParse({ ...stored, ...values });
  if (error) throw refusalOf(error.issues.flatMap(toFindings));
  await changeTemplate(ctx, { projectId, id, revision }, data, mover);
}
