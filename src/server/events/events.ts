// The audit trail. An event is written in the transaction of its change. Events contain no secrets.

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
import { csvLine } from '../lib/csv.ts';

export type { EventScope };

export interface NewEvent {
  code: EventCode;
  /** The project of the event; null for events of the installation, which only administrators see. */
  projectId: number | null;
  object: { type: ObjectType; id: number | null; name: string };
  /** Parameters of the sentence besides the name of the object. */
  params?: Params;
}

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

/** Whose rights an event may have changed; every change of rights records an event. */
function changedRights(ctx: Context, { code, object }: NewEvent): { userId: number | null } | null {
  if (object.type === 'user') return { userId: object.id };
  if (code.startsWith('grant.') || code.startsWith('restriction.')) return { userId: null };
  if (object.type === 'token' || object.type === 'role' || code === 'project.deleted')
    return { userId: null };
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
  const { limit = PAGE_SIZE, before, q } = query;
  const from_id = q ? await findReach(ctx.db, scope, before, SEARCH_SPAN) : null;
  const read = (count: number) => listEvents(ctx.db, scope, { ...query, from_id, limit: count });
  const page = await readPage(limit, read, from_id);
  return showAddress
    ? page
    : { ...page, items: page.items.map((event) => ({ ...event, ip: null })) };
}

// The default length of a list, and of the batches of an export.
const PAGE_SIZE = 1000;
// The events that one search reads before it returns its matches and where to continue.
const SEARCH_SPAN = 50_000;

/** Yields all events of a scope in batches, the newest first. */
export async function* allEvents(
  ctx: Context,
  scope: EventScope,
  query: EventQuery,
): AsyncGenerator<Event[]> {
  let { before } = query;
  for (;;) {
    const page = { ...query, before, limit: PAGE_SIZE };
    const events = await listEvents(ctx.db, scope, page);
    if (events.length === 0) return;
    yield events;
    before = events.at(-1)?.id;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

export async function tidyEvents(ctx: Context, signal: AbortSignal): Promise<void> {
  const days = ctx.config.keepEventDays;
  if (days === 0) return;
  const oldest = new Date(ctx.clock.now().getTime() - days * DAY_MS).toISOString();
  await deleteInPieces((limit) => deleteEventsBefore(ctx.db, oldest, limit), signal);
}

const columns = [
  'id',
  'created',
  'code',
  'description',
  'project_id',
  'project_name',
  'user_id',
  'username',
  'via',
  'via_id',
  'ip',
  'object_type',
  'object_id',
  'object_name',
] as const satisfies (keyof Event)[];

export async function* asCsv(pages: AsyncIterable<Event[]>): AsyncGenerator<string> {
  yield csvLine([...columns]);
  for await (const events of pages) {
    yield events.map((event) => csvLine(columns.map((name) => event[name]))).join('');
  }
}

export async function* asJson(pages: AsyncIterable<Event[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const events of pages) {
    yield separator + events.map((event) => JSON.stringify(event)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
