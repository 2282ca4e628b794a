import { sql } from 'kysely';
import type { User } from '#shared/api/users.ts';
import { refusing } from '../../db/conflict.ts';
import type { Db } from '../../db/open.ts';
import type { ListOptions } from '../../db/resource.ts';
import { fromFlag, toFlag } from '../../db/row.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import { fail } from '../../lib/errors.ts';

type UserValues = Omit<
  NewRow<'users'>,
  'id' | 'revision' | 'second_factor_secret' | 'second_factor_since' | 'second_factor_step'
>;
export type VersionedUser = User & { revision: number };

export function toUser(row: Row<'users'>): VersionedUser {
  const { admin, external, alert, second_factor_since: since, ...others } = row;
  const { password_hash: _hash, second_factor_secret: _secret, ...visible } = others;
  const { second_factor_step: _step, admin_from_rules: _rules, ...rest } = visible;
  return {
    ...rest,
    second_factor: since !== null,
    admin: fromFlag(admin),
    external: fromFlag(external),
    alert: fromFlag(alert),
  };
}

export async function listUsers(
  db: Db,
  { sort = 'username', order = 'asc', limit }: ListOptions = {},
): Promise<User[]> {
  let query = db
    .selectFrom('users')
    .selectAll()
    .orderBy(sort as 'username' | 'name', order)
    .orderBy('id', order);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(toUser);
}

export async function findUser(db: Db, id: number): Promise<VersionedUser | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toUser(row) : null;
}

/** By username or e-mail address, in any case. With the hash, for signing in. */
export async function findUserRow(
  db: Db,
  column: 'username' | 'email' | 'either',
  value: string,
): Promise<Row<'users'> | null> {
  const wanted = value.toLowerCase();
  const columns = column === 'either' ? (['username', 'email'] as const) : [column];
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where(({ or, eb }) => or(columns.map((name) => eb(name, '=', wanted))))
    // A username may look like the e-mail address of somebody else: the username wins.
    .orderBy(({ eb }) => eb.case().when('username', '=', wanted).then(0).else(1).end())
    .executeTakeFirst();
  return row ?? null;
}

export async function listAdminIds(db: Db): Promise<number[]> {
  const query = db.selectFrom('users').select('id').where('admin', '=', 1).orderBy('id');
  return (await query.execute()).map(({ id }) => id);
}

/** Whether the user is an administrator, and whether a rule made one of them. */
export async function findAdminMarks(
  db: Db,
  id: number,
): Promise<{ isAdmin: boolean; isFromRules: boolean }> {
  const row = await db
    .selectFrom('users')
    .select(['admin', 'admin_from_rules'])
    .where('id', '=', id)
    .executeTakeFirst();
  return { isAdmin: row?.admin === 1, isFromRules: row?.admin_from_rules === 1 };
}

export async function setAdminByRules(db: Db, id: number, isAdmin: boolean): Promise<void> {
  const flag = toFlag(isAdmin);
  await db
    .updateTable('users')
    .set({ admin: flag, admin_from_rules: flag, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute();
}

/** Makes others that ask the same wait for the end of this transaction; false: no such user. */
export async function lockUser(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(({ ref }) => ({ admin: ref('admin') }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isAnybodyThere(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

const taken =
  (values: Partial<UserValues>) =>
  (detail: string): Error & ReturnType<typeof fail> =>
    detail.includes('email')
      ? fail('user.email_taken', { email: values.email ?? '' })
      : fail('user.username_taken', { username: values.username ?? '' });

export async function insertUser(db: Db, values: UserValues): Promise<User> {
  const statement = db.insertInto('users').values(values).returningAll().executeTakeFirstOrThrow();
  return toUser(await refusing(statement, { unique: taken(values) }));
}

/** False when there is no such user, or none of the given revision. */
export async function updateUser(
  db: Db,
  id: number,
  values: Partial<UserValues>,
  revision: number | null = null,
): Promise<boolean> {
  let query = db
    .updateTable('users')
    .set({ ...values, revision: sql`revision + 1` })
    .where('id', '=', id);
  if (revision !== null) query = query.where('revision', '=', revision);
  const { numUpdatedRows } = await refusing(query.executeTakeFirst(), { unique: taken(values) });
  return numUpdatedRows > 0n;
}

export async function removeUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}
