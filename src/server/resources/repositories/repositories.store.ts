import { sql } from 'kysely';
import type { Repository } from '#shared/api/repositories.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';
import { beginningInJson, dataFolderMark } from './stored-address.ts';

export const repositoryStore = resourceStore<'repositories', Repository>('repositories', {
  columns: { with_submodules: 'flag' },
  toEntity: ({ revision: _revision, ...row }) => row,
  sort: { ssh_key: sql`(select name from keys where keys.id = repositories.ssh_key_id)` },
});

export async function hasAddress(db: Db, projectId: number, url: string): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('project_id', '=', projectId)
    .where('git_url', '=', url)
    .executeTakeFirst();
  return row !== undefined;
}

/** Null: of all projects. */
export function listAllAddresses(
  db: Db,
  projectId: number | null,
): Promise<{ id: number; git_url: string }[]> {
  const all = db.selectFrom('repositories').select(['id', 'git_url']);
  return (projectId === null ? all : all.where('project_id', '=', projectId)).execute();
}

/** Stores addresses below the data folder relative to it, in repositories and tasks. */
export async function makeAddressesRelative(db: Db, dataDir: string): Promise<void> {
  const prefixes = [
    [`${dataDir}/`, `${dataFolderMark}/`],
    [`file://${encodeURI(dataDir)}/`, `file://${dataFolderMark}/`],
  ] as const;
  for (const [from, to] of prefixes) {
    await sql`update repositories set git_url = ${to} || substr(git_url, length(cast(${from} as text)) + 1)
      where substr(git_url, 1, length(cast(${from} as text))) = ${from}`.execute(db);
    const [inJson, instead] = [beginningInJson(from), beginningInJson(to)];
    // LIKE may match too many rows, which `replace` leaves unchanged.
    await sql`update tasks set snapshot = replace(snapshot, ${inJson}, ${instead})
      where snapshot like ${`%${inJson.replaceAll(/[\\%_]/g, '_')}%`}`.execute(db);
  }
}
