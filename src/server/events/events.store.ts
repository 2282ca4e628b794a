import { sql, type SelectQueryBuilder } from 'kysely';
import type { Event, EventQuery } from '#shared/api/events.ts';
import type { ObjectType } from '#shared/events.ts';
import { describeEvent } from '#shared/events.ts';
import type { Params } from '#shared/errors.ts';
import type { Db } from '../db/open.ts';
import { contains } from '../db/search.ts';
import type { NewRow, Row, Tables } from '../db/tables.ts';

/** Whose events: of one project, of what a user may see, or (neither) of everything. */
export interface EventScope {
  projectId?: number;
  userId?: number;
}

export async function insertEvent(db: Db, values: NewRow<'events'>): Promise<void> {
  await db.insertInto('events').values(values).execute();
}

export async function listEvents(db: Db, scope: EventScope, query: EventQuery): Promise<Event[]> {
  let select = db
    .selectFrom('events')
    .leftJoin('projects', 'projects.id', 'events.project_id')
    .selectAll('events')
    .select('projects.name as project_name')
    .orderBy('events.id', 'desc');
  select = inScope(select, scope);
  select = filtered(select, query);
  if (query.limit !== undefined) select = select.limit(query.limit);
  return (await select.execute()).map(toEvent);
}

type Select = SelectQueryBuilder<
  Tables & { projects: Tables['projects'] | null },
  'events' | 'projects',
  Row<'events'> & { project_name: string | null }
>;

function inScope<S>(select: S, { projectId, userId }: EventScope): S {
  let query = select as Select;
  if (projectId !== undefined) query = query.where('events.project_id', '=', projectId);
  if (userId !== undefined) {
    query = query.where(
      sql<boolean>`(events.project_id in (select project_id from members where user_id = ${userId})
        or (events.project_id is null and events.user_id = ${userId}))`,
    );
  }
  return query as S;
}

function filtered<S>(select: S, filter: EventQuery): S {
  let query = select as Select;
  const { before, code, object_type: type, user_id: userId, from, to, q } = filter;
  if (before !== undefined) query = query.where('events.id', '<', before);
  if (code?.endsWith('.'))
    query = query.where(
      sql<boolean>`events.code like ${`${code.replaceAll('_', '!_')}%`} escape '!'`,
    );
  else if (code) query = query.where('events.code', '=', code);
  if (type) query = query.where('events.object_type', '=', type);
  if (userId !== undefined) query = query.where('events.user_id', '=', userId);
  if (from) query = query.where('events.created', '>=', from);
  if (to) query = query.where('events.created', '<', to);
  if (q) query = query.where(contains(['events.object_name', 'events.username'], q));
  return query as S;
}

function toEvent(row: Row<'events'> & { project_name: string | null }): Event {
  const params = JSON.parse(row.params) as Params;
  return {
    ...row,
    params,
    description: describeEvent(row.code, params),
    via: row.via as Event['via'],
    integration_id: row.via === 'integration' ? row.via_id : null,
    ip: row.ip || null,
    object_type: row.object_type as ObjectType,
  };
}

/** Deletes what is older; answers how many. At most so many at once. */
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
