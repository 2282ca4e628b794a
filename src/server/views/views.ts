import type { ChangedView, NewView, View, ViewPositions } from '#shared/api/views.ts';
import type { Context } from '../context.ts';
import { refusing } from '../db/conflict.ts';
import type { Versioned } from '../db/resource.ts';
import { fail, failFields, fieldError } from '../errors.ts';
import type { Target } from '../resource.ts';
import { leaveView } from '../templates/templates.ts';
import { inTransaction } from '../transaction.ts';
import {
  findView,
  insertView,
  listViews,
  lockView,
  removeRow,
  updatePosition,
  updateView,
} from './views.store.ts';

// Of ids that are not there.
const mostNamed = 20;

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

export async function createView(
  ctx: Context,
  projectId: number,
  { title }: NewView,
): Promise<View> {
  const id = await refusing(insertView(ctx.db, projectId, title), titleTaken(title));
  ctx.hub.publish('changed', { projectId, noun: 'views' });
  return requireView(ctx, projectId, id);
}

export async function changeView(
  ctx: Context,
  target: Target,
  { title, position }: ChangedView,
): Promise<void> {
  const values = { title, ...(position !== undefined && { position }) };
  if (!(await refusing(updateView(ctx.db, target, values), titleTaken(title)))) {
    await requireView(ctx, target.projectId, target.id);
    throw fail('request.stale');
  }
  ctx.hub.publish('changed', { projectId: target.projectId, noun: 'views' });
}

/** Moves all of these views, or none when one of them is not of this project. */
export async function placeViews(
  ctx: Context,
  projectId: number,
  positions: ViewPositions,
): Promise<void> {
  await inTransaction(ctx, async ({ db, hub }) => {
    const known = new Set((await listViews(db, projectId)).map(({ id }) => id));
    const wrong = Object.keys(positions).filter((id) => !known.has(Number(id)));
    if (wrong.length > 0) {
      const named = wrong.slice(0, mostNamed);
      throw failFields(...named.map((id) => fieldError(id, 'field.reference')));
    }
    for (const [id, position] of Object.entries(positions)) {
      await updatePosition(db, projectId, Number(id), position);
    }
    hub.publish('changed', { projectId, noun: 'views' });
  });
}

/** Deletes a view. Its templates stay. */
export async function removeView(ctx: Context, projectId: number, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    if (!(await lockView(inner.db, projectId, id))) throw fail('view.not_found');
    await leaveView(inner, projectId, id);
    await removeRow(inner.db, projectId, id);
    inner.hub.publish('changed', { projectId, noun: 'views' });
  });
}
