import { sql } from 'kysely';
import type { User } from '#shared/api/users.ts';
import { refusing } from '../../db/conflict.ts';
import type { Db } from '../../db/open.ts';
import type { ListOptions } from '../../db/resource.ts';
import { fromPlain, toPlain, type NoJson, type Plain } from '../../db/plain-row.ts';
import { toFlag } from '../../db/row.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import { fail } from '../../lib/errors.ts';

const columns = {
  admin: 'flag',
  admin_from_rules: 'flag',
  external: 'flag',
  alert: 'flag',
  can_create_project: 'flag',
} as const;

type UserValues = Plain<
  Omit<
    NewRow<'users'>,
    | 'id'
    | 'revision'
    | 'username_key'
    | 'email_key'
    | 'second_factor_secret'
    | 'second_factor_since'
    | 'second_factor_step'
  >,
  NoJson
>;

export type UserRow = Plain<Row<'users'>, NoJson>;

/** `can_create_project` is null if the server setting decides. */
export type StoredUser = Omit<User, 'can_create_project'> & {
  can_create_project: boolean | null;
  revision: number;
};

const toRow = (row: Row<'users'>): UserRow => toPlain<Row<'users'>>(columns, row);

export function toUser(row: UserRow): StoredUser {
  const { password_hash: _hash, second_factor_secret: _secret, ...others } = row;
  const { second_factor_step: _step, admin_from_rules: _rules, ...more } = others;
  const { username_key: _username, email_key: _email, ...visible } = more;
  const { second_factor_since: since, ...rest } = visible;
  return { ...rest, second_factor: since !== null };
}

export async function listUsers(
  db: Db,
  { sort = 'username', order = 'asc', limit }: ListOptions = {},
): Promise<StoredUser[]> {
  let query = db
    .selectFrom('users')
    .selectAll()
    .orderBy(sort === 'username' ? 'username_key' : (sort as 'name'), order)
    .orderBy('id', order);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map((row) => toUser(toRow(row)));
}

export async function findUser(db: Db, id: number): Promise<StoredUser | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toUser(toRow(row)) : null;
}

/** Case-insensitive. Includes the password hash, for sign-in. */
export async function findUserRow(
  db: Db,
  column: 'username' | 'email' | 'either',
  value: string,
): Promise<UserRow | null> {
  const wanted = value.toLowerCase();
  const searched =
    column === 'either' ? (['username_key', 'email_key'] as const) : ([`${column}_key`] as const);
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where(({ or, eb }) => or(searched.map((name) => eb(name, '=', wanted))))
    // A username may equal the address of another user, and takes precedence.
    .orderBy(({ eb }) => eb.case().when('username_key', '=', wanted).then(0).else(1).end())
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

export async function listAdminIds(db: Db): Promise<number[]> {
  const query = db.selectFrom('users').select('id').where('admin', '=', 1).orderBy('id');
  return (await query.execute()).map(({ id }) => id);
}

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

/** Takes a row lock; returns false if there is no such user. */
export async function lockUser(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(({ ref }) => ({ admin: ref('admin') }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function hasUsers(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

const uniqueError =
  (values: Partial<UserValues>) =>
  (detail: string): Error & ReturnType<typeof fail> =>
    detail.includes('email')
      ? fail('user.email_taken', { email: values.email ?? '' })
      : fail('user.username_taken', { username: values.username ?? '' });

/** Unique, case-insensitive keys. */
const keysOf = ({ username, email }: Partial<UserValues>) => ({
  ...(username !== undefined && { username_key: username.toLowerCase() }),
  ...(email !== undefined && { email_key: email.toLowerCase() }),
});

export async function insertUser(db: Db, values: UserValues): Promise<StoredUser> {
  const row = { ...fromPlain(columns, values), ...keysOf(values) } as NewRow<'users'>;
  const statement = db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow();
  return toUser(toRow(await refusing(statement, { unique: uniqueError(values) })));
}

/** Returns false if the user is missing or has another revision. */
export async function updateUser(
  db: Db,
  id: number,
  values: Partial<UserValues>,
  revision: number | null = null,
): Promise<boolean> {
  let query = db
    .updateTable('users')
    .set({ ...fromPlain(columns, values), ...keysOf(values), revision: sql`revision + 1` })
    .where('id', '=', id);
  if (revision !== null) query = query.where('revision', '=', revision);
  const { numUpdatedRows } = await refusing(query.executeTakeFirst(), {
    unique: uniqueError(values),
  });
  return numUpdatedRows > 0n;
}

export async function removeUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}
