// Rows of remote runners, which register with a token.

import { databaseTime } from '../db/clock.ts';
import type { Db } from '../db/open.ts';
import { findValue, insertRow, updateRows } from '../db/rows.ts';
import type { PublicKey } from '#shared/api/runner-api.ts';
import { fromPlain, toPlain } from '../db/plain-row.ts';
import type { NewRow, Row } from '../db/tables.ts';
import { runnerColumns, type NewRunnerRow, type PlainRunner } from './runners.store.ts';

const toRow = (values: Partial<NewRunnerRow>): Partial<NewRow<'runners'>> =>
  fromPlain(runnerColumns, values);

export interface Registration {
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
  return insertRow(db, 'runners', { ...(row as NewRow<'runners'>), started: now, last_seen: now });
}

/** The values that administrators set. */
export async function updateRemote(
  db: Db,
  id: number,
  values: { name?: string; tags?: string[]; most_tasks?: number },
): Promise<void> {
  await db.updateTable('runners').set(toRow(values)).where('id', '=', id).execute();
}

/** Also for a registered runner, which has to register again. */
export async function updateRegistration(db: Db, id: number, values: Registration): Promise<void> {
  await db.updateTable('runners').set(values).where('id', '=', id).execute();
}

export interface NewCredential {
  credential: string;
  public_key: PublicKey;
  version: string;
  max_parallel_tasks: number;
}

/** Registers once per token, before it expires. Null if no runner has this token. */
export async function takeRegistration(
  db: Db,
  { registration, now }: { registration: string; now: string },
  entry: NewCredential,
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

/** The hash; null: not registered, or removed. */
export const findCredential = (db: Db, id: number): Promise<string | null> =>
  findValue(db, 'runners', 'credential', { id });

/** Null: the runner accepts tasks of all projects. */
export function findOwner(db: Db, id: number): Promise<number | null> {
  return findValue(db, 'runners', 'project_id', { id });
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

/** What was stored before the heartbeat. */
interface EarlierReport {
  /** Whether the disk had space for tasks. */
  hadRoom: boolean;
  engine: string | null;
}

/** Null if another process registered as this runner. */
export async function updateHeartbeat(
  db: Db,
  heartbeat: HeartbeatValues,
): Promise<EarlierReport | null> {
  const { id, session, isNew, isLeaving, ...values } = heartbeat;
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
  const row = await update.returning(['out_of_room', 'container_engine']).executeTakeFirst();
  return row ? { hadRoom: row.out_of_room === 0, engine: row.container_engine } : null;
}

/** Revokes the credential; no tasks are assigned. */
export async function revokeCredential(db: Db, id: number): Promise<void> {
  await updateRows(
    db,
    'runners',
    { id },
    toRow({ credential: null, registration: null, closed: true }),
  );
}
