// The rows of remote runners, which administrators create and which register with a token.

import { databaseTime } from '../db/clock.ts';
import type { Db } from '../db/open.ts';
import type { PublicKey } from '#shared/api/runner-api.ts';
import { toPlain } from '../db/plain-row.ts';
import type { NewRow, Row } from '../db/tables.ts';
import { toRow, type NewRunnerRow, type PlainRunner } from './runners.store.ts';

export interface Registration {
  /** The hash of the token. */
  registration: string;
  registration_expires: string;
}

export async function insertRemote(
  db: Db,
  values: Registration &
    Pick<NewRunnerRow, 'uid' | 'name' | 'tags' | 'project_id' | 'most_tasks' | 'draining'>,
): Promise<number> {
  const now = databaseTime(db);
  const row = toRow({
    ...values,
    remote: true,
    session: '',
    role: 'runner',
    version: '',
    max_parallel_tasks: 0,
    closed: true,
  });
  const { id } = await db
    .insertInto('runners')
    .values({ ...(row as NewRow<'runners'>), started: now, last_seen: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface Entry {
  /** The hash of the credential. */
  credential: string;
  public_key: PublicKey;
  version: string;
  max_parallel_tasks: number;
}

/**
 * Registers the runner with this token, once and before the token expires. Null if no runner has
 * this token.
 */
export async function takeRegistration(
  db: Db,
  { registration, now }: { registration: string; now: string },
  entry: Entry,
): Promise<Pick<Row<'runners'>, 'id' | 'name' | 'project_id'> | null> {
  const row = await db
    .updateTable('runners')
    .set(toRow({ ...entry, registration: null, registration_expires: null, session: '' }))
    .where('registration', '=', registration)
    .where('registration_expires', '>', now)
    .returning(['id', 'name', 'project_id'])
    .executeTakeFirst();
  return row ?? null;
}

export async function findByCredential(
  db: Db,
  credential: string,
): Promise<Pick<PlainRunner, 'id' | 'name' | 'public_key'> | null> {
  const row = await db
    .selectFrom('runners')
    .select(['id', 'name', 'public_key'])
    .where('credential', '=', credential)
    .executeTakeFirst();
  return row
    ? toPlain<typeof row, { public_key: PublicKey | null }>({ public_key: 'json' }, row)
    : null;
}

/** The project of a runner; null: it runs the tasks of all projects. */
export async function findOwner(db: Db, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('runners')
    .select('project_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.project_id ?? null;
}

export interface HeartbeatValues {
  id: number;
  session: string;
  version: string;
  max_parallel_tasks: number;
  load: number;
  isNew: boolean;
  isLeaving: boolean;
}

/**
 * Stores a heartbeat, or that the runner ends. Returns whether its disk had room for new tasks; null if
 * another process has become this runner.
 */
export async function updateHeartbeat(
  db: Db,
  { id, session, isNew, isLeaving, ...values }: HeartbeatValues,
): Promise<{ hadRoom: boolean } | null> {
  const now = databaseTime(db);
  let update = db
    .updateTable('runners')
    .set({
      ...toRow({ ...values, session, closed: isLeaving }),
      last_seen: now,
      ...(isNew && { started: now }),
    })
    .where('id', '=', id);
  if (!isNew) update = update.where('session', '=', session);
  const row = await update.returning('out_of_room').executeTakeFirst();
  return row ? { hadRoom: row.out_of_room === 0 } : null;
}
