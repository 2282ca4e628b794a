// Events: what happened, who did it, and from where. An event is written in the transaction of its
// change, so there is no change without its event and no event without its change. Events have no secrets.

import type { Event, EventQuery } from '#shared/api/events.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { ObjectType } from '#shared/object-types.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Context } from '../context/context.ts';
import { deleteInPieces } from '../lib/delete-in-pieces.ts';
import { readPage, type Page } from '../lib/page.ts';
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
  /** The project of the event; null for events of the installation, which only administrators see. */
  projectId: number | null;
  object: { type: ObjectType; id: number | null; name: string };
  /** The further parameters of the sentence, beside the name of the object. */
  params?: Params;
}

/** Records an event. The context says who acted. */
export async function record(ctx: Context, event: NewEvent): Promise<void> {
  const { projectId, object, params } = event;
  await insertEvent(ctx.db, {
    created: ctx.clock.now().toISOString(),
    code: event.code,
    params: { name: object.name, ...params },
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
  if (projectId !== null) ctx.hub.publish('resource.changed', { projectId, noun: 'events' });
  const rights = changedRights(ctx, event);
  if (rights) ctx.hub.publish('permission.changed', rights);
}

/**
 * The users whose rights an event may have changed; null when it changes none. Every change of rights
 * is recorded as an event, so this covers all of them.
 */
function changedRights(ctx: Context, { code, object }: NewEvent): { userId: number | null } | null {
  if (object.type === 'user') return { userId: object.id };
  if (object.type === 'token' || code === 'project.deleted') return { userId: null };
  // The user who creates a project becomes its owner.
  const isMade = code === 'project.created' || code === 'project.restored';
  return isMade ? { userId: ctx.by.userId } : null;
}

/** Converts a row into a reply; `showAddress` says whether the caller may see client addresses. */
export async function getEvents(
  ctx: Context,
  scope: EventScope,
  query: EventQuery,
  showAddress: boolean,
): Promise<Page<Event>> {
  const { limit = MAX_CONCURRENT, before, q } = query;
  const from_id = q ? await findReach(ctx.db, scope, before, reach) : null;
  const read = (count: number) => listEvents(ctx.db, scope, { ...query, from_id, limit: count });
  const page = await readPage(limit, read, from_id);
  return showAddress
    ? page
    : { ...page, items: page.items.map((event) => ({ ...event, ip: null })) };
}

// The default length of a list, and of the pieces of an export.
const MAX_CONCURRENT = 1000;
// How many events a search reads at once before it answers what it has found and where to continue.
const reach = 50_000;

/** Yields all events of a scope in pieces, the newest first. */
export async function* allEvents(
  ctx: Context,
  scope: EventScope,
  query: EventQuery,
): AsyncGenerator<Event[]> {
  let { before } = query;
  for (;;) {
    const page = { ...query, before, limit: MAX_CONCURRENT };
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
