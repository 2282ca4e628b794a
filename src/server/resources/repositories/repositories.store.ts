import { sql } from 'kysely';
import type { Repository } from '#shared/api/repositories.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore } from '../../db/resource.ts';

export const repositoryStore = resourceStore<'repositories', Repository>('repositories', {
  columns: { with_submodules: 'flag' },
  toEntity: ({ revision: _revision, ...row }) => row,
  sort: { ssh_key: sql`(select name from keys where keys.id = repositories.ssh_key_id)` },
});

/** Whether a repository of the project has this address. */
export async function hasAddress(db: Db, projectId: number, url: string): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('project_id', '=', projectId)
    .where('git_url', '=', url)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids and addresses of the repositories of a project; null: of all projects. */
export function listAllAddresses(
  db: Db,
  projectId: number | null,
): Promise<{ id: number; git_url: string }[]> {
  const all = db.selectFrom('repositories').select(['id', 'git_url']);
  return (projectId === null ? all : all.where('project_id', '=', projectId)).execute();
}
