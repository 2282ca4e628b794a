import { sql, type SqlBool } from 'kysely';
import type { AlertError } from '#shared/catalogue/alert-errors.ts';
import type { DeliveryStatus } from '#shared/alerts.ts';
import type { Alert, AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { isEmailAddress } from '#shared/api/users.ts';
import type { Db } from '../../db/open.ts';
import { fromPlain, toPlain, type Plain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type StoredRow = Row<'alert_deliveries'>;
type DeliveryJson = { alert: Alert };
export type PlainDelivery = Plain<StoredRow, DeliveryJson>;

const columns = { alert: 'json' } as const;

const toPlainRow = (row: StoredRow): PlainDelivery =>
  toPlain<StoredRow, DeliveryJson>(columns, row);

/** A stored delivery, with the names of its channel and recipient. */
export type DeliveryRow = Omit<PlainDelivery, 'recipient'> & {
  recipient: AlertDelivery['recipient'];
  channel_name: string | null;
  user_name: string | null;
  repository_name: string | null;
};

export interface DeliveryFilter {
  channelId?: number | undefined;
  status?: DeliveryStatus | undefined;
  /** Only deliveries older than the one with this id. */
  before?: number | undefined;
  limit: number;
}

const kinds = {
  channel: 'channel',
  user: 'member',
  chat: 'chat',
  repository: 'repository',
} as const;

/** The deliveries, the newest first. */
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
  const row = await db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toPlainRow(row) : null;
}

/** Puts alerts into the queue. Alerts that are in the queue already stay as they are. */
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

/**
 * Whether no earlier status of the same task waits for the same host: the host shows the one that it
 * got last.
 */
const isFirst = sql<SqlBool>`(repository_id is null or not exists (
  select 1 from alert_deliveries earlier
  where earlier.task_id = alert_deliveries.task_id
    and earlier.repository_id = alert_deliveries.repository_id
    and earlier.id < alert_deliveries.id and earlier.status = 'pending'))`;

/** The due deliveries; those that have been due longest come first. */
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

/** When the next delivery is due; null when none waits. */
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

/** Reserves a delivery for an attempt until `until`, for exactly one server. After that it is due again. */
export async function takeDelivery(
  db: Db,
  { id, attempts }: ReservedDelivery,
  until: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_deliveries')
    .set({ attempts: attempts + 1, next_try: until, answer_status: null, error: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface Outcome {
  status: DeliveryStatus;
  answer_status: number | null;
  error: AlertError | null;
  sent: string | null;
  next_try: string | null;
}

/** Records the result of an attempt, unless another attempt has begun since. */
export async function updateOutcome(
  db: Db,
  { id, attempts }: ReservedDelivery,
  outcome: Outcome,
): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set(outcome)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .execute();
}

/** Puts a failed delivery into the queue again; false when it has not failed. */
export async function restart(db: Db, id: number, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_deliveries')
    .set({ status: 'pending', attempts: 0, next_try: now })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes some of the deliveries from before this time; returns how many. */
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

/** The members of a project who have alerts switched on. */
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

/** The e-mail address of a member; null when the member or the project has alerts switched off by now. */
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
  // Users of a provider may have their login in place of an address.
  return row && isEmailAddress(row.email) ? row.email : null;
}

/** The alert chat of a project; null when the project has alerts switched off by now. */
export async function findChat(db: Db, projectId: number): Promise<string | null> {
  const row = await db
    .selectFrom('projects')
    .select('alert_chat')
    .where('id', '=', projectId)
    .where('alert', '=', 1)
    .executeTakeFirst();
  return row?.alert_chat ?? null;
}

/** Gives up all deliveries that wait. */
export async function dropPending(db: Db): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({ status: 'failed' })
    .where('status', '=', 'pending')
    .execute();
}
