import { sql } from 'kysely';
import type { Event, EventQuery } from '#shared/api/events.ts';
import type { ObjectType } from '#shared/object-types.ts';
import { eventMessage } from '#shared/catalogue/recorded-events.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Db } from '../db/open.ts';
import { fromPlain, toPlain, type Plain } from '../db/plain-row.ts';
import { holds, searchable } from '../db/search.ts';
import type { NewRow, Row } from '../db/tables.ts';

type EventJson = { params: Params };

const columns = { params: 'json' } as const;

/** The events of one project, of all that a user may see, or, without both, all events. */
export interface EventScope {
  projectId?: number;
  userId?: number;
}

export async function insertEvent(
  db: Db,
  values: Omit<Plain<NewRow<'events'>, EventJson>, 'search'>,
): Promise<void> {
  const search = searchable([values.object_name, values.username]);
  await db
    .insertInto('events')
    .values({ ...fromPlain(columns, values), search } as NewRow<'events'>)
    .execute();
}

/** `from_id`: the oldest event that is read. */
export interface EventPageQuery extends EventQuery {
  limit: number;
  from_id?: number | null;
}

export async function listEvents(
  db: Db,
  scope: EventScope,
  query: EventPageQuery,
): Promise<Event[]> {
  const ids = newestIds(db, scope, query).limit(query.limit);
  const rows = await db
    .selectFrom('events')
    .leftJoin('projects', 'projects.id', 'events.project_id')
    .select([
      'events.id',
      'events.created',
      'events.code',
      'events.params',
      'events.project_id',
      'events.user_id',
      'events.username',
      'events.via',
      'events.via_id',
      'events.ip',
      'events.object_type',
      'events.object_id',
      'events.object_name',
      'projects.name as project_name',
    ])
    .where('events.id', 'in', ids)
    .orderBy('events.id', 'desc')
    .execute();
  return rows.map(toEvent);
}

/** The id of the event `count` places before the newest of a scope. Null when it has fewer. */
export async function findReach(
  db: Db,
  scope: EventScope,
  before: number | undefined,
  count: number,
): Promise<number | null> {
  const row = await newestIds(db, scope, { before })
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

type Filter = EventQuery & { from_id?: number | null };

// With this bound both engines use the index of ids instead of sorting.
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The ids of the events of a scope that match a filter. */
function newestIds(db: Db, { projectId, userId }: EventScope, filter: Filter) {
  const all = filtered(db, filter);
  const newest = (rows: typeof all) =>
    db.selectFrom(rows.as('seen')).select('seen.id').orderBy('seen.id', 'desc');
  if (projectId !== undefined) return newest(all.where('events.project_id', '=', projectId));
  if (userId === undefined) return newest(all);
  const projects = db.selectFrom('members').select('project_id').where('user_id', '=', userId);
  const own = all.where('events.project_id', 'is', null).where('events.user_id', '=', userId);
  return newest(all.where('events.project_id', 'in', projects).unionAll(own));
}

function filtered(db: Db, filter: Filter) {
  const { before = MAX_ID, from_id: fromId, code, object_type: type, user_id: userId } = filter;
  const { from, to, q } = filter;
  let query = db.selectFrom('events').select('events.id').where('events.id', '<', before);
  if (fromId) query = query.where('events.id', '>=', fromId);
  if (code?.endsWith('.')) {
    const pattern = `${code.replaceAll('_', '!_')}%`;
    query = query.where(sql<boolean>`events.code like ${pattern} escape '!'`);
  } else if (code) query = query.where('events.code', '=', code);
  if (type) query = query.where('events.object_type', '=', type);
  if (userId !== undefined) query = query.where('events.user_id', '=', userId);
  if (from) query = query.where('events.created', '>=', from);
  if (to) query = query.where('events.created', '<', to);
  if (q) query = query.where(holds('events.search', q));
  return query;
}

type EventRow = Omit<Row<'events'>, 'search'> & { project_name: string | null };

function toEvent(row: EventRow): Event {
  const plain = toPlain<EventRow, EventJson>(columns, row);
  return {
    ...plain,
    description: eventMessage({ code: row.code, params: plain.params }),
    via: row.via as Event['via'],
    integration_id: row.via === 'integration' ? row.via_id : null,
    ip: row.ip || null,
    object_type: row.object_type as ObjectType,
  };
}

/** Returns the number of deleted rows. */
export async function deleteEventsBefore(db: Db, time: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('id', 'in', (of) =>
      of
        .selectFrom('events')
        .select('id')
        .where('created', '<', time)
        .orderBy('created')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
