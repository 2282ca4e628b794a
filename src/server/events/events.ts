// What happened, who did it and from where. Written in the transaction of the change itself, so
// that there is no change without its event and no event without its change. Never a secret.

import type { Event, EventQuery } from '#shared/api/events.ts';
import type { EventCode, ObjectType } from '#shared/events.ts';
import type { Params } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import { deleteInPieces } from '../delete-in-pieces.ts';
import { readPage, type Page } from '../page.ts';
import {
  deleteEventsBefore,
  findReach,
  insertEvent,
  listEvents,
  type EventScope,
} from './events.store.ts';

export type { EventScope };

export interface NewEvent {
  code: EventCode;
  /** Null: of the whole installation, for administrators. */
  projectId: number | null;
  object: { type: ObjectType; id: number | null; name: string };
  /** What the sentence names besides the name of the object. */
  params?: Params;
}

/** Records that something happened; who did it stands in the context. */
export async function record(ctx: Context, event: NewEvent): Promise<void> {
  const { projectId, object, params } = event;
  await insertEvent(ctx.db, {
    created: ctx.clock.now().toISOString(),
    code: event.code,
    params: JSON.stringify({ name: object.name, ...params }),
    project_id: projectId,
    user_id: ctx.by.userId,
    username: ctx.by.username,
    via: ctx.by.via,
    via_id: ctx.by.viaId,
    ip: ctx.by.ip.slice(0, 64),
    object_type: object.type,
    object_id: object.id,
    object_name: object.name,
  });
  if (projectId !== null) ctx.hub.publish('changed', { projectId, noun: 'events' });
  const rights = changedRights(ctx, event);
  if (rights) ctx.hub.publish('rights', rights);
}

/**
 * Whose rights the change may touch; null: it touches none. All that gives or takes some is
 * recorded, so nothing that heeds them can be forgotten here.
 */
function changedRights(ctx: Context, { code, object }: NewEvent): { userId: number | null } | null {
  if (object.type === 'user') return { userId: object.id };
  if (object.type === 'token' || code === 'project.deleted') return { userId: null };
  // Whoever makes a project is its owner.
  const isMade = code === 'project.created' || code === 'project.restored';
  return isMade ? { userId: ctx.by.userId } : null;
}

/** `showAddress`: the asker may know from where people came. */
export async function seeEvents(
  ctx: Context,
  scope: EventScope,
  query: EventQuery,
  showAddress: boolean,
): Promise<Page<Event>> {
  const { limit = mostAtOnce, before, q } = query;
  const from_id = q ? await findReach(ctx.db, scope, before, reach) : null;
  const read = (count: number) => listEvents(ctx.db, scope, { ...query, from_id, limit: count });
  const page = await readPage(limit, read, from_id);
  return showAddress
    ? page
    : { ...page, items: page.items.map((event) => ({ ...event, ip: null })) };
}

// What a list without a limit answers, and an export reads at once.
const mostAtOnce = 1000;
// At how many events a search looks at once: then it answers what it has found, and where to go on.
const reach = 50_000;

/** All events of a scope in pieces, the newest first. */
export async function* allEvents(
  ctx: Context,
  scope: EventScope,
  query: EventQuery,
): AsyncGenerator<Event[]> {
  let { before } = query;
  for (;;) {
    const page = { ...query, before, limit: mostAtOnce };
    const events = await listEvents(ctx.db, scope, page);
    if (events.length === 0) return;
    yield events;
    before = events.at(-1)?.id;
  }
}

const day = 24 * 60 * 60 * 1000;

/** Deletes the events that are older than the setting says. */
export async function tidyEvents(ctx: Context, signal: AbortSignal): Promise<void> {
  const days = ctx.config.keepEventDays;
  if (days === 0) return;
  const oldest = new Date(ctx.clock.now().getTime() - days * day).toISOString();
  await deleteInPieces((limit) => deleteEventsBefore(ctx.db, oldest, limit), signal);
}
