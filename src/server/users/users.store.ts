import type { User } from '#shared/api/users.ts';
import { refusing } from '../db/conflict.ts';
import type { Db } from '../db/open.ts';
import { fromFlag } from '../db/row.ts';
import type { NewRow, Row } from '../db/tables.ts';
import { fail } from '../errors.ts';

type UserValues = Omit<NewRow<'users'>, 'id'>;

export function toUser(row: Row<'users'>): User {
  const { password_hash: _hidden, admin, external, alert, ...rest } = row;
  return {
    ...rest,
    admin: fromFlag(admin),
    external: fromFlag(external),
    alert: fromFlag(alert),
  };
}

export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db.selectFrom('users').selectAll().orderBy('username').execute();
  return rows.map(toUser);
}

export async function findUser(db: Db, id: number): Promise<User | null> {
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

export async function countAdmins(db: Db): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('admin', '=', 1)
    .executeTakeFirstOrThrow();
  return row.count;
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

export async function updateUser(db: Db, id: number, values: Partial<UserValues>): Promise<void> {
  if (Object.keys(values).length === 0) return;
  const statement = db.updateTable('users').set(values).where('id', '=', id).execute();
  await refusing(statement, { unique: taken(values) });
}

export async function removeUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}
