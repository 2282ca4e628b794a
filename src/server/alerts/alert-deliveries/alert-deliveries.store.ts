import { sql, type SqlBool } from 'kysely';
import type { DeliveryStatus } from '#shared/alerts.ts';
import type { Alert, AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { isEmailAddress } from '#shared/api/users.ts';
import type { Db } from '../../db/open.ts';
import { findRow, findValue, updateRows } from '../../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type StoredRow = Row<'alert_deliveries'>;
type DeliveryJson = { alert: Alert };
export type PlainDelivery = Plain<StoredRow, DeliveryJson>;

const columns = { alert: 'json' } as const;

const toPlainRow = (row: StoredRow): PlainDelivery =>
  toPlain<StoredRow, DeliveryJson>(columns, row);

export type DeliveryRow = Omit<PlainDelivery, 'recipient'> & {
  recipient: AlertDelivery['recipient'];
  channel_name: string | null;
  user_name: string | null;
  repository_name: string | null;
};

export interface DeliveryFilter {
  channelId?: number | undefined;
  status?: DeliveryStatus | undefined;
  /** Pagination: only ids below this one. */
  before?: number | undefined;
  limit: number;
}

const kinds = {
  channel: 'channel',
  user: 'member',
  chat: 'chat',
  repository: 'repository',
} as const;

export async function listDeliveries(
  db: Db,
  projectId: number,
  { channelId, status, before, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom('alert_deliveries')
    .leftJoin('alert_channels', 'alert_channels.id', 'alert_deliveries.channel_id')
    .leftJoin('users', 'users.id', 'alert_deliveries.user_id')
    .leftJoin('repositories', 'repositories.id', 'alert_deliveries.repository_id')
    .selectAll('alert_deliveries')
    .select([
      'alert_channels.name as channel_name',
      'users.name as user_name',
      'repositories.name as repository_name',
    ])
    .where('alert_deliveries.project_id', '=', projectId)
    .orderBy('alert_deliveries.id', 'desc')
    .limit(limit);
  if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (before !== undefined) query = query.where('alert_deliveries.id', '<', before);
  return (await query.execute()).map(({ channel_name, user_name, repository_name, ...row }) => ({
    ...toPlainRow(row),
    recipient: kinds[row.recipient.split(':')[0] as keyof typeof kinds],
    channel_name,
    user_name,
    repository_name,
  }));
}

export async function findDelivery(
  db: Db,
  projectId: number,
  id: number,
): Promise<PlainDelivery | null> {
  const row = await findRow(db, 'alert_deliveries', { project_id: projectId, id });
  return row && toPlainRow(row);
}

/** Enqueues alerts; duplicates are ignored. */
export async function insertDeliveries(
  db: Db,
  rows: Omit<Plain<NewRow<'alert_deliveries'>, DeliveryJson>, 'id'>[],
): Promise<void> {
  await db
    .insertInto('alert_deliveries')
    .values(rows.map((row) => fromPlain(columns, row) as NewRow<'alert_deliveries'>))
    .onConflict((conflict) => conflict.columns(['task_id', 'event', 'recipient']).doNothing())
    .execute();
}

/** No earlier commit status of the same task is pending: the host shows the one that it received last. */
const isFirst = sql<SqlBool>`(repository_id is null or not exists (
  select 1 from alert_deliveries earlier
  where earlier.task_id = alert_deliveries.task_id
    and earlier.repository_id = alert_deliveries.repository_id
    and earlier.id < alert_deliveries.id and earlier.status = 'pending'))`;

/** Due deliveries, the longest due first. */
export async function listDue(db: Db, now: string, limit: number): Promise<PlainDelivery[]> {
  const rows = await db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('status', '=', 'pending')
    .where('next_try', '<=', now)
    .where(isFirst)
    .orderBy('next_try')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toPlainRow);
}

/** Null when none is pending. */
export async function findNextDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('alert_deliveries')
    .select(({ fn }) => fn.min('next_try').as('time'))
    .where('status', '=', 'pending')
    .where(isFirst)
    .executeTakeFirst();
  return row?.time ?? null;
}

type ReservedDelivery = Pick<StoredRow, 'id' | 'attempts'>;

/** Leases a delivery to one server until `until`, when it becomes due again. */
export function takeDelivery(
  db: Db,
  { id, attempts }: ReservedDelivery,
  until: string,
): Promise<boolean> {
  return updateRows(
    db,
    'alert_deliveries',
    { id, attempts, status: 'pending' },
    { attempts: attempts + 1, next_try: until, answer_status: null, error: null },
  );
}

export type Outcome = Pick<StoredRow, 'status' | 'answer_status' | 'error' | 'sent' | 'next_try'>;

/** No-op if another attempt has begun. */
export async function updateOutcome(
  db: Db,
  { id, attempts }: ReservedDelivery,
  outcome: Outcome,
): Promise<void> {
  await updateRows(db, 'alert_deliveries', { id, attempts, status: 'pending' }, outcome);
}

/** Requeues a failed delivery; returns false when it has not failed. */
export function restart(db: Db, id: number, now: string): Promise<boolean> {
  return updateRows(
    db,
    'alert_deliveries',
    { id, status: 'failed' },
    { status: 'pending', attempts: 0, next_try: now },
  );
}

/** Returns the number of deleted rows. */
export async function deleteBefore(db: Db, time: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('alert_deliveries')
    .select('id')
    .where('created', '<', time)
    .orderBy('id')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('alert_deliveries')
    .where('id', 'in', old)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Members who have alerts enabled. */
export async function listAlertedMembers(db: Db, projectId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.id')
    .where('members.project_id', '=', projectId)
    .where('users.alert', '=', 1)
    .orderBy('users.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Null when the member or the project has disabled alerts. */
export async function findMemberAddress(
  db: Db,
  projectId: number,
  userId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .select('users.email')
    .where('members.project_id', '=', projectId)
    .where('users.id', '=', userId)
    .where('users.alert', '=', 1)
    .where('projects.alert', '=', 1)
    .executeTakeFirst();
  // Users of a provider may have a login in place of an address.
  return row && isEmailAddress(row.email) ? row.email : null;
}

/** Null when the project has disabled alerts. */
export function findChat(db: Db, projectId: number): Promise<string | null> {
  return findValue(db, 'projects', 'alert_chat', { id: projectId, alert: 1 });
}

/** Marks all pending deliveries as failed. */
export async function dropPending(db: Db): Promise<void> {
  await updateRows(db, 'alert_deliveries', { status: 'pending' }, { status: 'failed' });
}
