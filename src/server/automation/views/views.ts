import type { NewView, View, ViewPositions } from '#shared/api/views.ts';
import { seenBy, type Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import type { Versioned } from '../../db/resource.ts';
import { record } from '../../events/events.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { requireRemoval } from '../../people/grants/moves.ts';
import type { Giver } from '../../people/roles/roles.ts';
import type { Target } from '../../resources/resource.ts';
import { leaveView } from '../templates/templates.ts';
import { inTransaction } from '../../context/transaction.ts';
import { moveOutOfView } from '../workflows/definitions/workflows.ts';
import {
  findView,
  insertView,
  listViews,
  lockView,
  removeRow,
  updatePosition,
  updateView,
} from './views.store.ts';

export { listViews };

// Of missing ids in an error.
const MAX_NAMED_ITEMS = 20;

const titleTaken = (title: string) => ({ unique: () => fail('view.title_taken', { title }) });

export async function requireView(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<Versioned<View>> {
  const view = await findView(ctx.db, projectId, id);
  if (!view) throw fail('view.not_found');
  return view;
}

export async function createView(ctx: Context, projectId: number, view: NewView): Promise<View> {
  const { title } = view;
  return inTransaction(ctx, async (inner) => {
    const id = await refusing(insertView(inner.db, projectId, view), titleTaken(title));
    await recordView(inner, 'created', { projectId, id, title });
    return requireView(inner, projectId, id);
  });
}

async function recordView(
  ctx: Context,
  verb: 'created' | 'changed' | 'deleted',
  { projectId, id, title }: { projectId: number; id: number; title: string },
): Promise<void> {
  await record(ctx, { code: `view.${verb}`, projectId, object: { type: 'view', id, name: title } });
  ctx.hub.publish('resource.changed', { projectId, noun: 'views' });
}

export async function changeView(
  ctx: Context,
  target: Target,
  { title, position }: NewView,
): Promise<void> {
  const values = { title, ...(position !== undefined && { position }) };
  await inTransaction(ctx, async (inner) => {
    if (!(await refusing(updateView(inner.db, target, values), titleTaken(title)))) {
      await requireView(inner, target.projectId, target.id);
      throw fail('request.stale');
    }
    await recordView(inner, 'changed', { ...target, title });
  });
}

/** Moves all of these views, or none if one of them does not belong to this project. */
export async function placeViews(
  ctx: Context,
  projectId: number,
  positions: ViewPositions,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    const known = new Set((await listViews(seenBy(inner), projectId)).map(({ id }) => id));
    const wrong = Object.keys(positions).filter((id) => !known.has(Number(id)));
    if (wrong.length > 0) {
      const named = wrong.slice(0, MAX_NAMED_ITEMS);
      throw failFields(...named.map((id) => fieldError(id, 'field.reference')));
    }
    for (const [id, position] of Object.entries(positions)) {
      await updatePosition(db, projectId, Number(id), position);
    }
    const object = { type: 'view', id: null, name: '' } as const;
    await record(inner, { code: 'view.placed', projectId, object });
    hub.publish('resource.changed', { projectId, noun: 'views' });
  });
}

/** Deletes a view. Its templates and workflows stay. */
export async function removeView(
  ctx: Context,
  projectId: number,
  id: number,
  remover: Giver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    if (!(await lockView(inner.db, projectId, id))) throw fail('view.not_found');
    await requireRemoval(inner, id, remover);
    const { title } = await requireView(inner, projectId, id);
    await leaveView(inner, projectId, id);
    await moveOutOfView(inner, projectId, id);
    await removeRow(inner.db, projectId, id);
    await recordView(inner, 'deleted', { projectId, id, title });
  });
}
