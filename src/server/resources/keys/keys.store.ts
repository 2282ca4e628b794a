import { sql } from 'kysely';
import type { Key } from '#shared/api/keys.ts';
import type { Db } from '../../db/open.ts';
import { type ListOptions, resourceStore } from '../../db/resource.ts';

/** For the API: without secrets. */
export const keyStore = resourceStore<'keys', Key>('keys', {
  columns: {},
  toEntity: ({ id, project_id, name, type, secret }) => ({
    id,
    project_id,
    name,
    type,
    empty: type !== 'none' && secret === null,
    string: '',
    login_password: { login: '', password: '' },
    ssh: { login: '', passphrase: '', private_key: '' },
    override_secret: false,
  }),
});

/** `type` restricts the list. */
export const listKeysOf = (
  db: Db,
  projectId: number,
  { type, ...options }: ListOptions & { type?: Key['type'] | undefined },
): Promise<Key[]> =>
  keyStore.list(db, projectId, { ...options, ...(type && { where: [sql`type = ${type}`] }) });

export type KeyWithTime = Pick<Key, 'id' | 'name' | 'type'> & { set: string | null };

export function listKeyTimes(db: Db, projectId: number, ids: number[]): Promise<KeyWithTime[]> {
  return db
    .selectFrom('keys')
    .select(['id', 'name', 'type', 'secret_set as set'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .orderBy('name')
    .execute();
}

export async function findNone(db: Db, projectId: number, name: string): Promise<number | null> {
  const row = await db
    .selectFrom('keys')
    .select('id')
    .where('project_id', '=', projectId)
    .where('type', '=', 'none')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findSealedSecret(
  db: Db,
  projectId: number,
  id: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('keys')
    .select('secret')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.secret ?? null;
}
